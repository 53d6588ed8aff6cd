import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { squaresFor } from '../builders/finished-game.js';
import { activityOf } from '../support/citus.js';
import { challengeOf, playChallenge, startChallenge } from '../support/challenge.js';
import { aPerson, aPlayerAt, confirmLink, link, linkCode, pendingLink, providersOf } from '../support/link.js';
import { type Locks, locksOn } from '../support/locks.js';
import { finishGame, playGame, startGame } from '../support/play.js';
import { rebuildStats } from '../support/rebuildStats.js';
import { PATIENT, query, type Server, SHARED_SECRET, startServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { FROM_PAGE, Visitor } from '../support/visitor.js';

let server: Server;
let locks: Locks;
beforeAll(async () => {
  // The test computes the seeds of the challenge from this secret.
  server = await startServer({ env: { ...PATIENT, AUTH_SECRET: SHARED_SECRET } });
  locks = await locksOn(server);
});
afterAll(async () => {
  // Once for the players of all tests, because a recount is a process of its own.
  await expectNothingToRepair();
  await locks.close();
  await server.remove();
});

type Player = Awaited<ReturnType<typeof aPlayerAt>>;

/** Plays these games, and returns the ids of those games. */
async function play(player: Visitor, ...results: ('win' | 'lose' | 'draw')[]): Promise<string[]> {
  const ids: string[] = [];
  for (const result of results) ids.push((await playGame(server, player, { result, difficulty: 'easy' })).game!.id);
  return ids;
}

const gamesOf = async (player: Visitor) =>
  (
    await player.graphql<{ me: { games: { edges: { node: { id: string } }[] } } }>(
      '{ me { games(first: 50) { edges { node { id } } } } }',
    )
  )
    .data!.me.games.edges.map(({ node }) => node)
    .map(({ id }) => id);

const statsOf = async (player: Visitor) =>
  (await player.graphql<{ me: { stats: object } }>('{ me { stats { score winStreak wins losses draws } } }')).data!.me
    .stats;

async function rowsOf(playerId: string): Promise<Record<string, number>> {
  const tables = ['identities', 'sessions', 'sign_in_codes', 'player_stats', 'games', 'merged_players'];
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const [row] = await query<{ rows: number }>(
      server,
      `SELECT count(*)::integer AS rows FROM ${table} WHERE player_id = $1`,
      [playerId],
    );
    counts[table] = row!.rows;
  }
  const players = await query(server, 'SELECT FROM players WHERE id = $1', [playerId]);
  return { ...counts, players: players.length };
}

async function expectNothingToRepair(): Promise<void> {
  const { said, code } = await rebuildStats(server);
  expect(said).toMatch(/: 0 differences\n$/);
  expect(code).toBe(0);
}

/** Two accounts of one person, with games in both. */
async function twoAccounts(): Promise<{ ada: Player; other: Player; games: string[] }> {
  const ada = await aPlayerAt(server, 'google');
  const other = await aPlayerAt(server, 'github');
  const games = [...(await play(ada, 'win', 'win')), ...(await play(other, 'win', 'win', 'win', 'lose', 'draw'))];
  return { ada, other, games };
}

test('a link adds up both accounts: games, stats and place; the other account is gone', async () => {
  const { ada, other, games } = await twoAccounts();
  const refreshCookie = await other.sessionCookie();
  const code = await linkCode(ada, 'github', other.person);
  expect(await pendingLink(ada, code)).toEqual({
    provider: 'github',
    ...other.person,
    other: { playerId: other.user.id, name: other.person.name, stats: { score: 3 } },
    refusal: null,
  });
  const { data } = await confirmLink(ada, code, other.user.id);
  const sums = { score: 5, winStreak: 2, wins: 5, losses: 1, draws: 1 };
  expect(data?.confirmLink).toEqual({
    __typename: 'IdentityLinked',
    identities: [{ provider: 'google' }, { provider: 'github' }],
    stats: { playerId: ada.user.id, ...sums },
  });

  expect(await statsOf(ada)).toEqual(sums);
  expect((await gamesOf(ada)).toSorted()).toEqual(games.toSorted());
  for (const id of games) {
    const { data } = await new Visitor(server).graphql(`{ game(id: "${id}") { id result } }`);
    expect(data?.game).toMatchObject({ id });
  }
  const { data: board } = await ada.graphql<{ leaderboard: { playerId: string; score: number }[] }>(
    '{ leaderboard(limit: 100) { playerId score } }',
  );
  expect(board!.leaderboard).toContainEqual({ playerId: ada.user.id, score: 5 });
  expect(board!.leaderboard.map(({ playerId }) => playerId)).not.toContain(other.user.id);

  expect(await other.isSignedIn()).toBe(false);
  expect((await new Visitor(server).refresh(refreshCookie)).status).toBe(401);
  expect(await rowsOf(other.user.id)).toEqual({
    identities: 0,
    sessions: 0,
    sign_in_codes: 0,
    player_stats: 0,
    games: 5,
    merged_players: 0,
    players: 0,
  });
  const again = await new Visitor(server).signIn({ provider: 'github', ...other.person });
  expect(again.user.id).toBe(ada.user.id);

  await play(ada, 'win', 'draw');
  expect(await statsOf(ada)).toMatchObject({ score: 7, winStreak: 0, wins: 6 });
  const exported = (await (await ada.api('/api/account/export')).json()) as {
    games: object[];
    mergedPlayers: object[];
  };
  expect(exported.games).toHaveLength(9);
  expect(exported.mergedPlayers).toHaveLength(1);

  // An operator may only know the id of before.
  const note = `${other.user.id} was merged into ${ada.user.id}.\n`;
  const [found, shown] = [
    await ttt(server, 'player', 'find', other.user.id),
    await ttt(server, 'player', 'show', other.user.id),
  ];
  expect(found.said).toMatch(new RegExp(`^${note}id .*\\n${ada.user.id} .*\\n$`));
  expect(shown.said).toContain(`${note}id: ${ada.user.id}\n`);
  expect(shown.said).toContain(`merged: ${other.user.id}\n`);
  const hidden = await ttt(server, 'player', 'hide', other.user.id, '--reason', 'Offensive picture');
  expect(hidden).toEqual({ code: 0, said: `${note}${again.user.name} is no longer on the boards.\n` });

  await ada.graphql('mutation { deleteAccount }');
  const left = { ...(await rowsOf(ada.user.id)), merged: (await rowsOf(other.user.id)).games };
  expect(Object.values(left)).toEqual(Object.values(left).map(() => 0));
});

test('achievements include those of the other account', async () => {
  const { ada, other } = await twoAccounts();
  for (const player of [ada, other]) await playGame(server, player, { result: 'draw', difficulty: 'hard' });
  await playGame(server, other, { result: 'draw', difficulty: 'hard' });
  const read = async () =>
    (await ada.graphql('{ me { achievements { hardDraws hardDrawsInARow bestHardDrawsInARow badges } } }')).data;
  await read();
  await link(ada, 'github', other.person);
  expect(await read()).toEqual({
    me: {
      achievements: {
        hardDraws: 3,
        hardDrawsInARow: 1,
        bestHardDrawsInARow: 2,
        badges: ['first_easy_win', 'first_hard_draw'],
      },
    },
  });
});

test('a challenge must be over, and then counts for the player who stays', async () => {
  const ada = await aPlayerAt(server, 'google');
  const other = await aPlayerAt(server, 'github');
  const { day } = (await challengeOf(other)).attempt;
  await startChallenge(other, day, 1);
  const code = await linkCode(ada, 'github', other.person);
  expect(await pendingLink(ada, code)).toMatchObject({ refusal: { reason: 'challenge_open' } });
  expect((await confirmLink(ada, code, other.user.id)).data?.confirmLink).toMatchObject({ reason: 'challenge_open' });

  await playChallenge(other, day, ['win', 'win', 'win', 'lose', 'draw']);
  await playChallenge(ada, day, ['lose', 'lose', 'lose', 'lose', 'lose']);
  expect((await confirmLink(ada, code, other.user.id)).data?.confirmLink).toMatchObject({
    stats: { wins: 3, losses: 6, draws: 1 },
  });
  const { attempt } = await challengeOf(ada);
  // The first attempt of the day stays.
  expect(attempt.games.map(({ result }) => result)).toEqual(['win', 'win', 'win', 'lose', 'draw']);
});

test('an account that contains another one can be merged again', async () => {
  const { ada, other } = await twoAccounts();
  await link(other, 'google', ada.person);
  const last = await aPlayerAt(server, 'google');
  await play(last, 'lose');
  const { data } = await last.graphql('mutation { unlinkIdentity(provider: google) { provider } }');
  expect(data).toBeNull();
  await other.graphql('mutation { unlinkIdentity(provider: google) { provider } }');
  expect(await link(last, 'github', other.person)).toMatchObject({ stats: { score: 4, wins: 5, losses: 2, draws: 1 } });
  expect(await gamesOf(last)).toHaveLength(8);
  expect((await rowsOf(last.user.id)).merged_players).toBe(2);
});

test('accounts without games are merged too', async () => {
  const ada = await aPlayerAt(server, 'google');
  const empty = await aPlayerAt(server, 'github');
  await play(ada, 'win');
  expect(await link(ada, 'github', empty.person)).toMatchObject({ stats: { score: 1 } });
  const newcomer = await aPlayerAt(server, 'google');
  const other = await aPlayerAt(server, 'github');
  await play(other, 'win', 'win', 'lose');
  expect(await link(newcomer, 'github', other.person)).toMatchObject({ stats: { score: 1, winStreak: 0, wins: 2 } });
});

test('two accounts that have the same provider are refused, and nothing changes', async () => {
  const ada = await aPlayerAt(server, 'google');
  const other = await aPlayerAt(server, 'github');
  await link(other, 'google', aPerson());
  const code = await linkCode(ada, 'github', other.person);
  expect(await pendingLink(ada, code)).toMatchObject({ refusal: { reason: 'conflicting_identities' } });
  expect((await confirmLink(ada, code, other.user.id)).data?.confirmLink).toMatchObject({
    reason: 'conflicting_identities',
  });
  expect([await providersOf(ada), await providersOf(other)]).toEqual([['google'], ['github', 'google']]);
});

test('two accounts that together exceed the daily limit are refused', async () => {
  const limited = await startServer({ env: { GAMES_PER_DAY: '3' } });
  try {
    const ada = await aPlayerAt(limited, 'google');
    const other = await aPlayerAt(limited, 'github');
    for (const player of [ada, ada, other]) await playGame(limited, player, { result: 'win' });
    const within = await linkCode(ada, 'github', other.person);
    expect(await pendingLink(ada, within)).toMatchObject({ refusal: null });
    await playGame(limited, other, { result: 'win' });
    expect(await pendingLink(ada, within)).toMatchObject({ refusal: { reason: 'too_many_games_in_a_day' } });
    expect((await confirmLink(ada, within, other.user.id)).data?.confirmLink).toMatchObject({
      reason: 'too_many_games_in_a_day',
    });
  } finally {
    await limited.remove();
  }
});

/** A game of a player that is ready to be sent. */
async function aGameOf(player: Visitor) {
  const ticket = await startGame(player, 'easy');
  await server.moveClock(5_000);
  return () => finishGame(player, ticket.token, squaresFor({ ...ticket, result: 'win' }));
}

/** Waits until a game has left its batch, which waits for 0.2 seconds: until then it may lose its place in the queue. */
async function untilAlone(): Promise<void> {
  const longWaits = `SELECT FROM ${activityOf(server)}
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > interval '0.3 seconds'`;
  while ((await query(server, longWaits)).length === 0) await new Promise((later) => setTimeout(later, 20));
}

test('a game of the other account that comes first is merged', async () => {
  const { ada, other } = await twoAccounts();
  const finish = await aGameOf(other);
  const code = await linkCode(ada, 'github', other.person);
  await locks.hold('SELECT FROM player_stats WHERE player_id = $1 FOR UPDATE', [other.user.id]);
  const finished = finish();
  await untilAlone();
  const linked = confirmLink(ada, code, other.user.id);
  await locks.untilWaiting(2);
  await locks.release();
  expect((await finished).data?.finishGame).toMatchObject({ __typename: 'GameCounted' });
  expect((await linked).data?.confirmLink).toMatchObject({ stats: { wins: 6 } });
  expect(await gamesOf(ada)).toHaveLength(8);
});

test('a game of the other account that comes later is refused as signed out', async () => {
  const { ada, other } = await twoAccounts();
  const finish = await aGameOf(other);
  const code = await linkCode(ada, 'github', other.person);
  await locks.hold('SELECT FROM players WHERE id = $1 FOR UPDATE', [other.user.id]);
  const linked = confirmLink(ada, code, other.user.id);
  await locks.untilWaiting(1);
  const finished = finish();
  await locks.untilWaiting(2);
  await locks.release();
  expect((await linked).data?.confirmLink).toMatchObject({ stats: { wins: 5 } });
  expect((await finished).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  expect(await gamesOf(ada)).toHaveLength(7);
});

test('games of both accounts during a merge are counted once or refused', async () => {
  const { ada, other } = await twoAccounts();
  const code = await linkCode(ada, 'github', other.person);
  const games = [];
  for (const player of [ada, other, ada, other, ada, other]) games.push(await aGameOf(player));
  const [linked, ...finished] = await Promise.all([
    confirmLink(ada, code, other.user.id),
    ...games.map((finish) => finish()),
  ]);
  expect(linked.data?.confirmLink.__typename).toBe('IdentityLinked');
  const counted = finished.filter(({ data }) => data?.finishGame.__typename === 'GameCounted').length;
  expect(counted).toBeGreaterThanOrEqual(3);
  expect(await gamesOf(ada)).toHaveLength(7 + counted);
});

test('an account that is deleted while it is linked is refused, and its games are gone', async () => {
  const { ada, other } = await twoAccounts();
  const code = await linkCode(ada, 'github', other.person);
  await locks.hold('SELECT FROM sessions WHERE player_id = $1 FOR UPDATE', [other.user.id]);
  const deleted = other.graphql('mutation { deleteAccount }');
  await locks.untilWaiting(1);
  const linked = confirmLink(ada, code, other.user.id);
  await locks.untilWaiting(2);
  await locks.release();
  expect((await deleted).data).toEqual({ deleteAccount: true });
  expect((await linked).data?.confirmLink).toMatchObject({ reason: 'account_changed' });
  expect(await statsOf(ada)).toMatchObject({ score: 2 });
  expect((await rowsOf(other.user.id)).games).toBe(0);
  expect(await providersOf(ada)).toEqual(['google']);
});

test('the account that links can be deleted at the same time', async () => {
  const { ada, other } = await twoAccounts();
  const code = await linkCode(ada, 'github', other.person);
  const [linked, deleted] = await Promise.all([
    confirmLink(ada, code, other.user.id),
    ada.graphql('mutation { deleteAccount }'),
  ]);
  expect(deleted.data).toEqual({ deleteAccount: true });
  const rows = { ...(await rowsOf(ada.user.id)) };
  expect(Object.values(rows).every((count) => count === 0)).toBe(true);
  const merged = linked.data?.confirmLink?.__typename === 'IdentityLinked';
  expect((await rowsOf(other.user.id)).games).toBe(merged ? 0 : 5);
  expect(await other.isSignedIn()).toBe(!merged);
});

test('two links of one identity at once: one account gets it', async () => {
  const { ada, other } = await twoAccounts();
  const grace = await aPlayerAt(server, 'google');
  const codes = [await linkCode(ada, 'github', other.person), await linkCode(grace, 'github', other.person)];
  const answers = await Promise.all([
    confirmLink(ada, codes[0]!, other.user.id),
    confirmLink(grace, codes[1]!, other.user.id),
  ]);
  expect(answers.map(({ data }) => data?.confirmLink.reason ?? 'linked').toSorted()).toEqual([
    'account_changed',
    'linked',
  ]);
  expect((await gamesOf(ada)).length + (await gamesOf(grace)).length).toBe(7);
});

test('two accounts that link each other at once become one', async () => {
  const { ada, other } = await twoAccounts();
  const codes = [await linkCode(ada, 'github', other.person), await linkCode(other, 'google', ada.person)];
  const answers = await Promise.all([
    confirmLink(ada, codes[0]!, other.user.id),
    confirmLink(other, codes[1]!, ada.user.id),
  ]);
  expect(answers.filter(({ data }) => data?.confirmLink.__typename === 'IdentityLinked')).toHaveLength(1);
  const there = (await ada.isSignedIn()) ? ada : other;
  expect(await gamesOf(there)).toHaveLength(7);
  expect((await providersOf(there)).toSorted()).toEqual(['github', 'google']);
});

test('two links of different identities at once leave one identity for each provider', async () => {
  const ada = await aPlayerAt(server, 'google');
  const codes = [await linkCode(ada, 'github', aPerson()), await linkCode(ada, 'github', aPerson())];
  const answers = await Promise.all(codes.map((code) => confirmLink(ada, code, null)));
  expect(answers.map(({ data }) => data?.confirmLink.reason ?? 'linked').toSorted()).toEqual([
    'linked',
    'provider_linked',
  ]);
  expect(await providersOf(ada)).toEqual(['google', 'github']);
});

test('a sign-in with an identity that is being merged opens the merged account', async () => {
  const { ada, other } = await twoAccounts();
  const code = await linkCode(ada, 'github', other.person);
  await locks.hold('SELECT FROM players WHERE id = $1 FOR UPDATE', [other.user.id]);
  const linked = confirmLink(ada, code, other.user.id);
  await locks.untilWaiting(1);
  const again = new Visitor(server).signIn({ provider: 'github', ...other.person });
  await locks.untilWaiting(2);
  await locks.release();
  expect((await linked).data?.confirmLink.__typename).toBe('IdentityLinked');
  expect((await again).user.id).toBe(ada.user.id);
  expect((await rowsOf(other.user.id)).players).toBe(0);
  expect((await ada.fetch('/auth/refresh', { method: 'POST', headers: FROM_PAGE })).status).toBe(200);
});
