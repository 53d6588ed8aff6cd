import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { aPlayerWith, sumsOf } from '../support/moderation.js';
import { MAIN, query, removeData, aServer } from '../support/server.js';
import { ttt, tttWith } from '../support/ttt.js';

const server = aServer();
beforeEach(() => removeData(server));

const because = (reason = 'A test') => ['--operator', 'Grace', '--reason', reason];
const aPlayer = (name: string) => aPlayerWith(server, name);
function fileWith(text: string): string {
  const file = join(server.dataDir, 'ids.txt');
  writeFileSync(file, text);
  return file;
}

describe('a file of ids', () => {
  test('decides about each, goes on after one that fails, and ends with a summary and 1', async () => {
    const [one, two, three] = [await aPlayer('One'), await aPlayer('Two'), await aPlayer('Three')];
    await ttt(server, 'player', 'ban', two.user.id, ...because());
    const nobody = crypto.randomUUID();
    const file = fileWith(
      `# cheats of this week\n${one.user.id}\n\n  ${two.user.id}  # seen twice\nmallory\n${nobody}\r\n${three.user.id}\n${one.user.id}\n`,
    );
    expect(await ttt(server, 'player', 'ban', '--file', file, ...because('Bots'))).toEqual({
      code: 1,
      said: [
        `${one.user.id}: One is banned and signed out of 1 session.`,
        `${two.user.id}: Two is banned already. Nothing has changed.`,
        'mallory: FAILED: mallory is not the id of a player. Find it with: ttt player find <name>',
        `${nobody}: FAILED: There is no player ${nobody}.`,
        `${three.user.id}: Three is banned and signed out of 1 session.`,
        '2 of 5 changed, 1 were so already, 2 failed.\n',
      ].join('\n'),
    });
    expect(await query(server, `SELECT reason FROM audit WHERE reason = 'Bots'`)).toHaveLength(2);
    const good = fileWith([one, two, three].map(({ user }) => user.id).join('\n'));
    expect(await ttt(server, 'player', 'unban', '--file', good, ...because())).toMatchObject({ code: 0 });
    expect(await ttt(server, 'player', 'hide', '--file', good, ...because())).toMatchObject({ code: 0 });
    expect((await ttt(server, 'player', 'unhide', '--file', good, ...because())).said).toContain('3 of 3 changed');
  });

  test('may have games, and may be the input', async () => {
    const { games } = await aPlayerWith(server, 'One', 'win', 'win', 'win');
    const before = await sumsOf(server);
    const options = ['game', 'void', '--file', '-', ...because()];
    const voided = spawnSync(process.execPath, [join(MAIN, '../ttt.js'), ...options], {
      env: { DATABASE_URL: server.databaseUrl!, DATA_DIR: server.dataDir },
      encoding: 'utf8',
      input: games.join('\n'),
    });
    expect(voided).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/One's score went from 1 to 0\.\n3 of 3 changed, 0 were so already, 0 failed\.\n$/),
    });
    const file = fileWith(games.toReversed().join('\n'));
    expect(await ttt(server, 'game', 'unvoid', '--file', file, ...because())).toMatchObject({ code: 0 });
    expect(await sumsOf(server)).toEqual(before);
  });

  test('is refused beside an id, when it is missing and when it is empty; a command without an id and a file is refused too', async () => {
    for (const [words, said] of [
      [[], /^Give either an id or --file\.\n$/],
      [['x', '--file', fileWith('y')], /^Give either an id or --file\.\n$/],
      [['--file', '/nowhere/ids.txt'], /^\/nowhere\/ids\.txt cannot be read \(ENOENT\)\.\n$/],
      [['--file', fileWith('# nobody\n')], / has no ids: write one a line\.\n$/],
    ] as const)
      expect(await ttt(server, 'player', 'ban', ...words, ...because())).toEqual({
        code: 1,
        said: expect.stringMatching(said),
      });
  });
});

test('list shows the hidden or the banned players with reason, date and end, and the bans of deleted accounts', async () => {
  const [hidden, banned, gone] = [await aPlayer('Hidden'), await aPlayer('Banned'), await aPlayer('Gone')];
  await ttt(server, 'player', 'hide', hidden.user.id, ...because('Rude picture'));
  await ttt(server, 'player', 'ban', banned.user.id, '--until', '2030-01-31', ...because('A bot'));
  await ttt(server, 'player', 'ban', gone.user.id, '--until', '2030-02-28T12:30', ...because('Another bot'));
  await ttt(server, 'player', 'delete', gone.user.id, ...because('Asked for it'));
  const list = async (which: string) =>
    JSON.parse((await ttt(server, 'player', 'list', which, '--json')).said) as object[];
  expect(await list('--hidden')).toEqual([
    { since: expect.any(String), until: null, id: hidden.user.id, name: 'Hidden', score: 0, reason: 'Rude picture' },
  ]);
  expect(await list('--banned')).toMatchObject([
    { id: banned.user.id, name: 'Banned', until: '2030-01-31T00:00:00.000Z', reason: 'A bot' },
    { id: gone.user.id, name: null, until: '2030-02-28T12:30:00.000Z', reason: 'Another bot' },
  ]);
  expect((await ttt(server, 'player', 'list', '--banned')).said).toMatch(/^since +until +id +name +score +reason\n/);
  expect(await ttt(server, 'player', 'list')).toEqual({ code: 1, said: 'Give either --banned or --hidden.\n' });
  expect((await ttt(server, 'player', 'show', banned.user.id)).said).toContain('until: 2030-01-31T00:00:00.000Z\n');
});

test('a ban cannot end in the past, in many years or at what is no day', async () => {
  const player = await aPlayer('One');
  for (const until of ['2020-01-01', '2050-01-01', '2027-02-31', '2027-1-1', 'tomorrow', '31.01.2027', '']) {
    const { code, said } = await ttt(server, 'player', 'ban', player.user.id, '--until', until, ...because());
    expect([until, code, said]).toEqual([until, 1, expect.stringMatching(/It must be a time in /)]);
  }
  expect(await player.isSignedIn()).toBe(true);
});

describe('the operator', () => {
  const settings = () => ({ DATABASE_URL: server.databaseUrl!, DATA_DIR: server.dataDir });
  const operators = async () =>
    (await query<{ operator: string }>(server, 'SELECT operator FROM audit ORDER BY id')).map(
      ({ operator }) => operator,
    );

  test('is the option, else TTT_OPERATOR, else the user of the system if it is a person', async () => {
    const { user } = await aPlayer('One');
    const signOut = (more: Record<string, string>, ...words: string[]) =>
      tttWith({ ...settings(), ...more }, 'player', 'sign-out', user.id, '--reason', 'Lost phone', ...words);
    await signOut({ TTT_OPERATOR: 'ada' }, '--operator', 'Grace');
    await signOut({ TTT_OPERATOR: 'ada' });
    expect(await operators()).toEqual(['Grace', 'ada']);
    const answer = await signOut({ TTT_OPERATOR: '' });
    const isAnybody = ['node', 'root'].includes(userInfo().username);
    expect(answer).toEqual(
      isAnybody
        ? { code: 1, said: 'A change needs your name, for the audit: add --operator NAME, or set TTT_OPERATOR.\n' }
        : { code: 0, said: expect.stringContaining('signed out') },
    );
    expect(await operators()).toEqual(['Grace', 'ada', ...(isAnybody ? [] : [userInfo().username])]);
  });

  test('is who called sudo, where the user is root', async () => {
    const { user } = await aPlayer('One');
    const signOut = (sudoUser: string) =>
      tttWith(
        { ...settings(), TTT_OPERATOR: '', SUDO_USER: sudoUser },
        ...['player', 'sign-out', user.id, '--reason', 'Lost phone'],
      );
    await signOut('grace');
    await signOut('root');
    const { username } = userInfo();
    const expected = { root: ['grace'], node: [] }[username] ?? [username, username];
    expect(await operators()).toEqual(expected);
  });

  test('and the reason are one visible line', async () => {
    const { user } = await aPlayer('One');
    for (const words of [
      ['--operator', 'a\nb', '--reason', 'x'],
      ['--operator', 'x'.repeat(101), '--reason', 'x'],
      ['--operator', 'x', '--reason', 'x'.repeat(1_001)],
      ['--operator', 'x', '--reason', 'a\u202eb'],
    ]) {
      const { code, said } = await ttt(server, 'player', 'hide', user.id, ...words);
      expect([code, said]).toEqual([
        1,
        expect.stringMatching(/^--(operator|reason) must be 1 to 1000? characters, all of them visible\n$/),
      ]);
    }
    expect(await operators()).toEqual([]);
  });
});
