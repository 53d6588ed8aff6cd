import { beforeEach, describe, expect, test } from '@jest/globals';
import { aPlayerAt, confirmLink, linkCode, pendingLink } from '../support/link.js';
import { aPlayerWith, namesOnBoard, signInEndsWith, sumsOf } from '../support/moderation.js';
import { aMadePlayer } from '../support/made.js';
import { aReadyWin, playGame } from '../support/play.js';
import { query, removeData, aServer } from '../support/server.js';
import { ttt, tttWith } from '../support/ttt.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

const server = aServer();
beforeEach(() => removeData(server));

const because = (reason: string) => ['--operator', 'Grace', '--reason', reason];

const aPlayerWithWins = (wins: number, name: string) =>
  aPlayerWith(server, name, ...Array.from({ length: wins }, () => 'win' as const));
const standingOf = async (player: Visitor) =>
  (await player.graphql<{ me: { standing: object | null } }>('{ me { standing { rank players } } }')).data!.me.standing;
const placesAround = async (player: Visitor) => {
  type Around = { standing: { neighbours: { entries: { rank: number; name: string }[] } } | null };
  const { data } = await player.graphql<{ me: Around }>(
    '{ me { standing { neighbours(before: 5, after: 5) { entries { rank name } next { rank points } } } } }',
  );
  return data!.me.standing && data!.me.standing.neighbours.entries.map(({ rank, name }) => `${rank} ${name}`);
};

describe('a ban', () => {
  test('ends every session at once, blocks the sign-in, and takes the player off the boards', async () => {
    const [cheat, honest] = [await aPlayerWithWins(2, 'Mallory'), await aPlayerWithWins(1, 'Ada')];
    const elsewhere = await aSignedInVisitor(server, { name: 'Mallory', email: 'mallory@example.org' });
    expect([await cheat.isSignedIn(), await elsewhere.isSignedIn()]).toEqual([true, true]);
    expect(await standingOf(honest)).toEqual({ rank: 2, players: 2 });
    // A code from before the ban begins no session after it.
    const { code, verifier } = await new Visitor(server).getCode('github');
    const pending = await query<{ player_id: string }>(
      server,
      'SELECT player_id FROM sign_in_codes WHERE spent_at IS NULL',
    );
    expect(await ttt(server, 'player', 'ban', pending[0]!.player_id, ...because('A bot'))).toMatchObject({ code: 0 });
    expect((await new Visitor(server).exchange(code, verifier)).status).toBe(400);

    expect(await ttt(server, 'player', 'ban', cheat.user.id, ...because('Plays with a program'))).toEqual({
      code: 0,
      said: 'Mallory is banned and signed out of 2 sessions.\n',
    });

    expect([await cheat.isSignedIn(), await elsewhere.isSignedIn()]).toEqual([false, false]);
    expect((await cheat.refresh()).status).not.toBe(200);
    expect(await signInEndsWith(server, { name: 'Mallory' })).toBe('account_banned');
    expect([await namesOnBoard(server), await namesOnBoard(server, 'week')]).toEqual([['Ada'], ['Ada']]);
    expect((await honest.graphql('{ me { week { rank } } }')).data).toEqual({ me: { week: { rank: 1 } } });
    expect(await standingOf(honest)).toEqual({ rank: 1, players: 1 });
    expect(await placesAround(honest)).toEqual(['1 Ada']);
    expect(server.log()).toContain('"code":"account_banned"');
  });

  test('outlives the account, with any AUTH_SECRET, until an operator ends it', async () => {
    const cheat = await aPlayerWithWins(1, 'Mallory');
    const settings = { DATABASE_URL: server.databaseUrl!, AUTH_SECRET: 'another secret that is long enough for it' };
    await tttWith(settings, 'player', 'ban', cheat.user.id, ...because('Plays with a program'));
    await tttWith(settings, 'player', 'delete', cheat.user.id, ...because('Asked for it'));
    expect(await query(server, 'SELECT 1 FROM players')).toEqual([]);
    expect(await signInEndsWith(server, { name: 'Mallory' })).toBe('account_banned');
    expect(await query(server, 'SELECT 1 FROM players UNION ALL SELECT 1 FROM identities')).toEqual([]);
    expect(await query(server, 'SELECT 1 FROM player_stats')).toEqual([]);

    const { said } = await ttt(server, 'player', 'unban', cheat.user.id, ...because('Appeal granted'));
    expect(said).toBe('The player of the deleted account may sign in again.\n');
    expect(await signInEndsWith(server, { name: 'Mallory' })).toBe('a code');
    const { said: audit } = await ttt(server, 'audit', '--json', '--player', cheat.user.id);
    expect(JSON.parse(audit)).toMatchObject([
      { action: 'player.unban', operator: 'Grace', reason: 'Appeal granted' },
      { action: 'player.delete', reason: 'Asked for it', before: { banned: true } },
      { action: 'player.ban', reason: 'Plays with a program', after: { banned: true } },
    ]);
  });
});

test('an identity of a hidden, renamed or banned player cannot be linked, and the log names both players', async () => {
  const linker = await aPlayerAt(server, 'google');
  const [hidden, renamed, banned] = [
    await aPlayerAt(server, 'github'),
    await aPlayerAt(server, 'github'),
    await aPlayerAt(server, 'github'),
  ];
  await ttt(server, 'player', 'hide', hidden.user.id, ...because('Offensive picture'));
  await ttt(server, 'player', 'rename', renamed.user.id, 'Player One', ...because('Offensive name'));
  await ttt(server, 'player', 'ban', banned.user.id, ...because('Plays with a program'));
  await ttt(server, 'player', 'delete', banned.user.id, ...because('Asked for it'));
  for (const { person, user } of [hidden, renamed, banned]) {
    const code = await linkCode(linker, 'github', person);
    const refusal = { reason: 'account_not_linkable' };
    expect(await pendingLink(linker, code)).toMatchObject({ name: person.name, refusal });
    const { data } = await confirmLink(linker, code);
    expect(data?.confirmLink).toMatchObject({ __typename: 'LinkRefused', ...refusal });
    const names = { provider: 'github', providerName: 'GitHub' };
    const line = { ...refusal, ...names, playerId: linker.user.id, otherPlayerId: user.id };
    expect(server.log()).toContain(JSON.stringify({ event: 'link_refused', ...line }).slice(1, -1));
  }
});

test('a hidden player plays on without a place, and the others have no gap', async () => {
  const [first, second, third] = [
    await aPlayerWithWins(3, 'First'),
    await aPlayerWithWins(2, 'Second'),
    await aPlayerWithWins(1, 'Third'),
  ];
  await ttt(server, 'player', 'hide', second.user.id, ...because('Offensive picture'));
  expect(await placesAround(third)).toEqual(['1 First', '2 Third']);
  expect([await standingOf(second), await placesAround(second)]).toEqual([null, null]);

  // Games of a hidden player change no count of scores.
  await playGame(server, second, { result: 'win' });
  expect((await second.graphql('{ me { stats { score wins } } }')).data).toEqual({
    me: { stats: { score: 4, wins: 3 } },
  });
  expect(await ttt(server, 'stats', 'rebuild')).toEqual({ code: 0, said: '7 games of 3 players: 0 differences\n' });
  expect(await standingOf(first)).toEqual({ rank: 1, players: 2 });

  await ttt(server, 'player', 'unhide', second.user.id, ...because('New picture'));
  expect(await namesOnBoard(server)).toEqual(['First', 'Second', 'Third']);
  await ttt(server, 'player', 'rename', second.user.id, 'Player One', ...because('Offensive name'));
  expect(await namesOnBoard(server)).toEqual(['First', 'Player One', 'Third']);
  expect(await ttt(server, 'stats', 'rebuild')).toMatchObject({ code: 0 });
});

test('a change needs a reason, and its entry in the audit cannot change', async () => {
  const player = await aPlayerWithWins(0, 'Ada');
  expect(await ttt(server, 'player', 'sign-out', player.user.id)).toEqual({
    code: 1,
    said: 'A change needs a reason: add --reason "…"\n',
  });
  expect(await player.isSignedIn()).toBe(true);
  await ttt(server, 'player', 'sign-out', player.user.id, '--reason', 'Lost phone');
  expect(await player.isSignedIn()).toBe(false);
  const [entry] = await query<{ operator: string; reason: string }>(server, 'SELECT operator, reason FROM audit');
  expect(entry).toEqual({ operator: expect.stringMatching(/./), reason: 'Lost phone' });
  for (const statement of [`UPDATE audit SET reason = 'x'`, 'DELETE FROM audit']) {
    await expect(query(server, statement)).rejects.toThrow('The audit only grows');
  }
  const { said } = await ttt(server, 'player', 'show', player.user.id);
  expect(said).toContain('liveSessions: 0\n');
  expect(said).toContain('action=player.sign-out');
});

test('a voided game or report is refused when it is sent again, with the reason, and is nowhere', async () => {
  const player = await aMadePlayer(server);
  const send = async () => {
    const answer = await player.report('win', { 'idempotency-key': 'one' });
    return [answer.status, await answer.json()];
  };
  expect(await send()).toMatchObject([200, { score: 1 }]);
  const { data } = await player.graphql<{ me: { games: { edges: { node: { id: string } }[] } } }>(
    '{ me { games { edges { node { id } } } } }',
  );
  await ttt(server, 'game', 'void', player.user.id, data!.me.games.edges[0]!.node.id, ...because('A wrong report'));
  expect(await send()).toMatchObject([
    422,
    { error: 'The game of this Idempotency-Key was voided: it does not count.' },
  ]);
  const { ticket, finish } = await aReadyWin(server, player);
  await finish();
  await ttt(server, 'game', 'void', player.user.id, ticket.gameId, ...because('Played by a program'));
  const message = 'This game was voided, so it does not count.';
  expect((await finish()).data).toMatchObject({
    finishGame: { __typename: 'GameRefused', reason: 'voided', message },
  });
  const game = `game(playerId: "${player.user.id}", id: "${ticket.gameId}") { id }`;
  expect((await player.graphql(`{ me { stats { score wins } } ${game} }`)).data).toEqual({
    me: { stats: { score: 0, wins: 0 } },
    game: null,
  });
});

test('a repair recounts by the rules of the game, also where only the date of a badge is missing', async () => {
  for (const name of ['Ada', 'Grace', 'Alan'])
    await aPlayerWith(server, name, ...(['win', 'win', 'win', 'draw', 'win', 'lose'] as const));
  const before = await sumsOf(server);
  const of = (which: string) => `player_id IN (SELECT id FROM players WHERE name ${which} 'Alan')`;
  await query(server, `UPDATE player_stats SET draws = 7, win_streak = 2, games_that_day = 1 WHERE ${of('<>')}`);
  await query(server, `UPDATE player_stats SET first_easy_win_at = NULL WHERE ${of('=')}`);
  await query(server, `UPDATE player_weeks SET draws = 3 WHERE ${of('<>')}`);
  const games = 'UPDATE games SET bonus = false, points = least(points, 1), number = number + 10';
  await query(server, `${games} WHERE ${of('<>')}`);
  expect(await ttt(server, 'doctor')).toMatchObject({ code: 1, said: expect.stringMatching(/^PROBLEM {2}sums: /m) });
  const { code, said } = await ttt(server, 'stats', 'rebuild', '--repair', ...because('Wrong sums'));
  expect([code, said]).toEqual([0, expect.stringContaining('3 players are recounted')]);
  expect(await sumsOf(server)).toEqual(before);
  expect(await ttt(server, 'stats', 'rebuild')).toMatchObject({ code: 0 });
});
