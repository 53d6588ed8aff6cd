import { describe, expect, test } from '@jest/globals';
import { emailOf, nameOf, PICTURE_HOSTS, pictureUrlOf } from './profile.js';

describe('the name of a player', () => {
  test.each([
    [{ name: 'Ada', fullName: 'Ada Lovelace', userName: 'ada' }, 'a@b.c', 'Ada'],
    [{ fullName: 'Ada Lovelace', userName: 'ada' }, 'a@b.c', 'Ada Lovelace'],
    [{ userName: 'ada' }, 'a@b.c', 'ada'],
    [{}, 'ada.lovelace@example.org', 'ada.lovelace'],
    [{ name: '' }, undefined, 'User'],
    [{ name: ' \t ', userName: 'ada' }, undefined, 'ada'],
    [{ name: '\u200d' }, undefined, 'User'],
  ])('of %j and %j is %j', (metadata, email, name) => {
    expect(nameOf({ metadata, email })).toBe(name);
  });
});

describe('the email address of a player', () => {
  test.each([undefined, '', 'ada', 'a@b@c', 'a b@c', 'a@b\u0000', `${'a'.repeat(251)}@b.c`])('is never %j', (email) => {
    expect(emailOf({ email })).toBeNull();
  });
});

describe('the picture of a player', () => {
  test.each(['lh4', 'lh6', 'a.b'])('comes from any host of Google, such as %s', (host) => {
    const picture = `https://${host}.googleusercontent.com/a/x=s96-c`;
    expect(pictureUrlOf({ pictureHosts: [PICTURE_HOSTS.google], metadata: { picture } })).toBe(picture);
  });

  test.each([
    undefined,
    '',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    'http://lh3.googleusercontent.com/a',
    'https://evil.example/a',
    'https://lh3.googleusercontent.com.evil.example/a',
    'https://lh3.googleusercontent.com:8443/a',
    'https://googleusercontent.com/a',
    'https://evilgoogleusercontent.com/a',
    'https://user:pass@lh3.googleusercontent.com/a',
    'https://avatars.githubusercontent.com/u/1',
    `https://lh3.googleusercontent.com/${'a'.repeat(1_000_000)}`,
  ])('is never %.60j', (picture) => {
    expect(pictureUrlOf({ pictureHosts: [PICTURE_HOSTS.google], metadata: { picture } })).toBeNull();
  });
});
