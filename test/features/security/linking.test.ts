import { describe, expect, test } from '@jest/globals';
import {
  aPerson,
  aPlayerAt,
  confirmLink,
  link,
  linkCode,
  pendingLink,
  type Person,
  postLink,
  providersOf,
  startLink,
  unlink,
} from '../../support/link.js';
import { aServer, endOfLog, logged, waitOn } from '../../support/server.js';
import { FROM_PAGE, Visitor } from '../../support/visitor.js';

const server = aServer();
const wait = waitOn(() => server);

const MINUTE = 60_000;

/** Signs in at the provider's form, and returns the callback's address without opening it. */
async function callbackOf(visitor: Visitor, page: { url: URL; response: Response }, person: Person): Promise<string> {
  const open = visitor.fetch.bind(visitor);
  let callback = '';
  visitor.fetch = (path, init) => {
    if (!path.includes('/callback?')) return open(path, init);
    callback = path;
    return Promise.resolve(new Response());
  };
  await visitor.submit(page, { ...person });
  visitor.fetch = open;
  return callback;
}

describe('a link begins only', () => {
  const refusal = async (response: Response) => ({ status: response.status, ...((await response.json()) as object) });

  test('with an access token, from our own page', async () => {
    const ada = await aPlayerAt(server, 'google');
    const anonymous = await new Visitor(server).fetch('/auth/github/link', { method: 'POST', headers: FROM_PAGE });
    expect(anonymous.status).toBe(401);
    for (const headers of [
      {},
      { ...FROM_PAGE, origin: 'https://evil.example' },
      { ...FROM_PAGE, 'sec-fetch-site': 'cross-site' },
    ]) {
      expect((await postLink(ada, 'github', { headers })).status).toBe(403);
    }
    expect((await ada.api('/auth/github/link')).status).toBe(405);
    expect(await providersOf(ada)).toEqual(['google']);
  });

  test('in the browser of the session: a stolen access token is not enough', async () => {
    const victim = await aPlayerAt(server, 'google');
    const thief = await aPlayerAt(server, 'google');
    const stolen = Object.assign(new Visitor(server), { accessToken: victim.accessToken });
    for (const browser of [stolen, Object.assign(thief, { accessToken: victim.accessToken })]) {
      const error = 'Only the browser of this session may do this.';
      expect(await refusal(await postLink(browser, 'github'))).toMatchObject({ status: 403, error, code: 'forbidden' });
    }
  });

  test('after a recent sign-in', async () => {
    const ada = await aPlayerAt(server, 'google');
    await link(ada, 'github', aPerson());
    await wait(11 * MINUTE);
    await ada.renew();
    const code = 'recent_sign_in_required';
    expect(await refusal(await postLink(ada, 'github'))).toMatchObject({ status: 403, code });
    expect((await unlink(ada, 'github')).errors?.[0]?.extensions.code).toBe('RECENT_SIGN_IN_REQUIRED');
  });
});

describe('link CSRF', () => {
  test("an attacker's callback links nothing in the victim's browser", async () => {
    const victim = await aPlayerAt(server, 'google');
    const attacker = await aPlayerAt(server, 'google');
    const foreign = aPerson();
    const callback = await callbackOf(attacker, await startLink(attacker, 'github'), foreign);
    await startLink(victim, 'github');
    const { url } = await victim.follow(callback);
    expect(url.search).toBe('?error=sign_in_expired');
    expect(await providersOf(victim)).toEqual(['google']);
    expect((await new Visitor(server).signIn({ provider: 'github', ...foreign })).user.id).not.toBe(victim.user.id);
  });

  test("an attacker's code links nothing in the victim's session, nor in another session of the attacker", async () => {
    const victim = await aPlayerAt(server, 'google');
    const attacker = await aPlayerAt(server, 'google');
    const code = await linkCode(attacker, 'github', aPerson());
    const again = await new Visitor(server).signIn({ provider: 'google', ...attacker.person });
    for (const other of [victim, again]) {
      expect(await pendingLink(other, code)).toBeNull();
      expect((await confirmLink(other, code)).data?.confirmLink).toMatchObject({ reason: 'link_expired' });
      expect(await providersOf(other)).toEqual(['google']);
    }
    await logged(server, '"event":"link_refused","reason":"foreign_code"');
  });
});

describe('a link code', () => {
  test('is spent by its first use', async () => {
    const ada = await aPlayerAt(server, 'google');
    const code = await linkCode(ada, 'github', aPerson());
    const answers = await Promise.all([confirmLink(ada, code), confirmLink(ada, code)]);
    expect(answers.map(({ data }) => data?.confirmLink.__typename).toSorted()).toEqual([
      'IdentityLinked',
      'LinkRefused',
    ]);
    await unlink(ada, 'github');
    expect((await confirmLink(ada, code)).data?.confirmLink).toMatchObject({ reason: 'link_expired' });
    expect(await providersOf(ada)).toEqual(['google']);
  });

  test('expires after five minutes, and is worth nothing when it is changed', async () => {
    const ada = await aPlayerAt(server, 'google');
    const code = await linkCode(ada, 'github', aPerson());
    for (const wrong of ['', 'x', `${code}x`, code.slice(0, -1), 'x'.repeat(10_000)]) {
      expect(await pendingLink(ada, wrong)).toBeNull();
    }
    await wait(5 * MINUTE + 1_000);
    expect(await pendingLink(ada, code)).toBeNull();
    expect((await confirmLink(ada, code)).data?.confirmLink).toMatchObject({ reason: 'link_expired' });
  });

  test('begins no session', async () => {
    const ada = await aPlayerAt(server, 'google');
    const code = await linkCode(ada, 'github', aPerson());
    expect((await ada.exchange(code, ada.accessToken)).status).toBe(400);
    expect((await confirmLink(ada, code)).data?.confirmLink.__typename).toBe('IdentityLinked');
  });

  test('needs the session that began the link', async () => {
    const ada = await aPlayerAt(server, 'google');
    const code = await linkCode(ada, 'github', aPerson());
    const page = await startLink(ada, 'github');
    await ada.signOut();
    expect((await confirmLink(ada, code)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const { url } = await ada.submit(page, { ...aPerson() });
    expect(url.search).toBe('?open=account&link_error=sign_in_expired');
  });
});

test('an identity that is linked already is refused, like a second one of the same provider', async () => {
  const ada = await aPlayerAt(server, 'google');
  const github = aPerson();
  await link(ada, 'github', github);
  expect(await link(ada, 'github', github)).toMatchObject({ reason: 'already_linked' });
  expect(await link(ada, 'github', aPerson())).toMatchObject({ reason: 'provider_linked' });
  expect(await link(ada, 'google', ada.person)).toMatchObject({ reason: 'already_linked' });
});

describe('unlinking', () => {
  test('leaves one identity, and ends the other sessions', async () => {
    const ada = await aPlayerAt(server, 'google');
    const github = aPerson();
    await link(ada, 'github', github);
    const other = await new Visitor(server).signIn({ provider: 'github', ...github });
    expect(other.user.id).toBe(ada.user.id);
    expect((await unlink(ada, 'github')).data).toEqual({ unlinkIdentity: [{ provider: 'google' }] });
    expect(await other.isSignedIn()).toBe(false);
    expect(await ada.isSignedIn()).toBe(true);
    for (const [provider, code] of [
      ['google', 'LAST_IDENTITY'],
      ['github', 'NOT_FOUND'],
    ] as const) {
      expect((await unlink(ada, provider)).errors?.[0]?.extensions.code).toBe(code);
    }
    const newcomer = await new Visitor(server).signIn({ provider: 'github', ...github });
    expect(newcomer.user.id).not.toBe(ada.user.id);
  });

  test('of both identities at once leaves one', async () => {
    const ada = await aPlayerAt(server, 'google');
    await link(ada, 'github', aPerson());
    const answers = await Promise.all([unlink(ada, 'google'), unlink(ada, 'github')]);
    expect(answers.filter(({ data }) => data?.unlinkIdentity)).toHaveLength(1);
    expect(await providersOf(ada)).toHaveLength(1);
  });

  test('ends a sign-in that waits for its exchange', async () => {
    const ada = await aPlayerAt(server, 'google');
    const github = aPerson();
    await link(ada, 'github', github);
    const thief = new Visitor(server);
    const { verifier, page } = await thief.startSignIn('github');
    const { url } = await thief.submit(page, { ...github });
    await unlink(ada, 'github');
    expect((await thief.exchange(url.searchParams.get('code'), verifier)).status).toBe(400);
  });
});

test('a link, the end of an unused account and an unlinking are logged without codes and names', async () => {
  const start = await endOfLog(server);
  const ada = await aPlayerAt(server, 'google');
  const other = await aPlayerAt(server, 'github');
  const code = await linkCode(ada, 'github', other.person);
  await confirmLink(ada, code);
  await unlink(ada, 'github');
  await endOfLog(server);
  const log = server.log().slice(start);
  const { id } = ada.user;
  for (const line of [
    `"event":"account_deleted","playerId":"${other.user.id}"`,
    `"event":"identity_linked","provider":"github","providerName":"GitHub","playerId":"${id}"`,
    `"event":"identity_unlinked","provider":"github","providerName":"GitHub","playerId":"${id}"`,
  ]) {
    expect(log).toContain(line);
  }
  for (const secret of [code, ada.person.name, ada.person.email, other.person.name, other.person.email]) {
    expect(log).not.toContain(secret);
  }
});
