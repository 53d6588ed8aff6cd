import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { SQUARES } from '../../game/board.js';
import { CHALLENGE_DIFFICULTIES, parOf } from '../../game/challenge.js';
import { replay } from '../../game/replay.js';
import {
  challengeOf,
  challengeSquares,
  DAY,
  daysFrom,
  playChallenge,
  playChallengeGames,
  seedsOf,
  startChallenge,
  waitAs,
} from '../support/challenge.js';
import { aServer, endOfLog, query } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

const server = aServer();
const nextDay = daysFrom(server, '2033-05-01');
let day: string;
beforeEach(async () => void (day = await nextDay()));

type Player = Awaited<ReturnType<typeof aSignedInVisitor>>;

/** Everything that anybody gets from the server, with headers. */
async function heard(visitor: Visitor, query: string): Promise<string> {
  const response = await visitor.postJson('/graphql', { query });
  return JSON.stringify([...response.headers]) + (await response.text());
}

const TABLE = (on: string, after = '') =>
  `{ challenge(day: "${on}") { over seeds players entries(limit: 2${after && `, after: "${after}"`}) {
    place playerId wins draws totalMoves results moves } } }`;

interface Entry {
  place: number;
  playerId: string;
  wins: number;
  draws: number;
  totalMoves: number;
  results: string[];
  moves: string[] | null;
}
interface Table {
  challenge: { over: boolean; seeds: string[] | null; players: number; entries: Entry[] };
}

/** What anybody can compute from the public seeds and moves. */
function resultFrom(moves: string, at: number, seed: string): string {
  const squares = [...moves].map(Number);
  const own = squares.filter((_square, index) => index % 2 === 0);
  const replayed = replay({ difficulty: CHALLENGE_DIFFICULTIES[at]!, seed, squares: own });
  if (replayed.ok) {
    expect(replayed.game.moves.map(({ square }) => square)).toEqual(squares);
    return replayed.game.result;
  }
  expect(replayed.reason).toBe('unfinished');
  return 'lose';
}

/** The player's squares of a game that wins with this many moves, if there is one. */
function winWith(moves: number, game: number): number[] | undefined {
  const longer = (lines: number[][]): number[][] =>
    lines.flatMap((line) => SQUARES.filter((square) => !line.includes(square)).map((square) => [...line, square]));
  let lines: number[][] = [[]];
  for (let move = 0; move < moves; move++) lines = longer(lines);
  return lines.find((squares) => {
    const played = replay({ difficulty: CHALLENGE_DIFFICULTIES[game - 1]!, seed: seedsOf(day)[game - 1]!, squares });
    return played.ok && played.game.result === 'win';
  });
}

describe('the table of a day', () => {
  test('shows no seed and no move until one minute after the day, in no answer and not in the log', async () => {
    const player = await aSignedInVisitor(server);
    await playChallenge(player, day, ['win', 'lose', 'win', 'lose']);
    const from = server.log().length;
    let said = JSON.stringify(await playChallenge(player, day, ['draw'], 5));
    for (const document of [
      TABLE(day),
      '{ me { games { edges { node { id seed } } } } }',
      '{ myChallenge { place } }',
    ]) {
      said += await heard(player, document);
    }
    const { data } = await player.graphql<{ me: { games: { edges: { node: { id: string } }[] } } }>(
      '{ me { games { edges { node { id } } } } }',
    );
    const stranger = new Visitor(server);
    const publicGame = `{ game(playerId: "${player.user.id}", id: "${data!.me.games.edges[0]!.node.id}") { seed moves { square } } }`;
    said += await heard(stranger, publicGame);
    expect((await stranger.graphql(publicGame)).data).toEqual({ game: null });
    said += await (await player.api('/api/account/export')).text();
    await endOfLog(server);
    said += server.log().slice(from);
    for (const seed of seedsOf(day)) expect(said).not.toContain(seed);
    const { challenge } = (await player.graphql<Table>(TABLE(day))).data!;
    expect(challenge).toMatchObject({ over: false, seeds: null, players: 1, entries: [{ place: 1, moves: null }] });

    // Another server, whose clock is behind, may still play this day.
    await server.moveClock(DAY / 2 + 30_000);
    const atMidnight = (await stranger.graphql<Table>(TABLE(day))).data!.challenge;
    expect(atMidnight).toMatchObject({ over: true, seeds: null, entries: [{ place: 1, moves: null }] });
    expect((await stranger.graphql(publicGame)).data).toEqual({ game: null });
    await server.moveClock(30_000 + 1_000);
    const published = (await stranger.graphql<Table>(TABLE(day))).data!.challenge;
    expect(published).toMatchObject({ seeds: seedsOf(day), entries: [{ moves: expect.any(Array) }] });
    expect((await stranger.graphql(publicGame)).data).toMatchObject({ game: { seed: seedsOf(day)[4] } });
  });

  test('has a commitment from the start of the day, which fits the seeds when they are public', async () => {
    const stranger = new Visitor(server);
    const commitmentOf = async (on: string) =>
      (
        await stranger.graphql<{ challenge: { commitment: string | null; seeds: string[] | null } }>(
          `{ challenge(day: "${on}") { commitment seeds par } }`,
        )
      ).data!.challenge;
    const hash = createHash('sha256').update(seedsOf(day).join(',')).digest('hex');
    expect(await commitmentOf(day)).toEqual({ commitment: hash, seeds: null, par: null });
    const dayFrom = (days: number) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
    for (const other of [dayFrom(-1), dayFrom(1)])
      expect(await commitmentOf(other)).toEqual({ commitment: null, seeds: null, par: null });
    await server.moveClock(DAY);
    expect(await commitmentOf(day)).toEqual({ commitment: hash, seeds: seedsOf(day), par: parOf(seedsOf(day)) });
  });

  test('tells equal results apart by moves, and players with equal moves share a place', async () => {
    const players = await Promise.all(Array.from({ length: 4 }, () => aSignedInVisitor(server)));
    const rest = ([2, 3, 4, 5] as const).map((game) => challengeSquares(day, game, game === 5 ? 'draw' : 'win'));
    const [short, long] = [winWith(3, 1)!, winWith(4, 1)!];
    const games = [long, short, short, challengeSquares(day, 1, 'lose')];
    await Promise.all(players.map((player, at) => playChallengeGames(player, day, [games[at]!, ...rest])));
    const mine = await Promise.all(players.map(challengeOf));
    expect(mine.map(({ place }) => place)).toEqual([3, 1, 1, 4]);
    const [ofLong, ofShort] = mine.map(({ attempt }) => attempt.totalMoves!);
    expect(ofLong).toBe(ofShort! + 1);
  });

  test('has places that anybody can compute from the seeds after the day', async () => {
    const players = await Promise.all(Array.from({ length: 5 }, () => aSignedInVisitor(server)));
    const [ada, grace, alan, edsger, away] = players;
    await Promise.all([
      playChallenge(ada!, day, ['win', 'win', 'win', 'lose', 'draw']),
      playChallenge(grace!, day, ['win', 'win', 'lose', 'win', 'draw']),
      playChallenge(alan!, day, ['win', 'lose', 'lose', 'win', 'draw']),
      playChallenge(edsger!, day, ['lose', 'lose', 'lose', 'lose', 'lose']),
      playChallenge(away!, day, ['win', 'win']).then(() => startChallenge(away!, day, 3)),
    ]);
    const places = await Promise.all(players.map(async (player) => (await challengeOf(player)).place));
    expect(places).toEqual([1, 1, 3, 4, null]);
    await ttt(server, 'player', 'hide', ada!.user.id, '--reason', 'Offensive picture');
    expect((await challengeOf(ada!)).place).toBeNull();
    await ttt(server, 'player', 'unhide', ada!.user.id, '--reason', 'New picture');

    await server.moveClock(DAY);
    const entries: Entry[] = [];
    let seeds: string[] | null = null;
    for (let page = 2; page === 2;) {
      const { challenge } = (await new Visitor(server).graphql<Table>(TABLE(day, entries.at(-1)?.playerId))).data!;
      expect(challenge).toMatchObject({ over: true, players: 5 });
      seeds = challenge.seeds;
      entries.push(...challenge.entries);
      page = challenge.entries.length;
    }
    expect(seeds).toEqual(seedsOf(day));
    const computed = entries.map(({ playerId, moves }) => {
      const results = moves!.map((game, at) => resultFrom(game, at, seeds![at]!));
      const count = (wanted: string) => results.filter((result) => result === wanted).length;
      const movesOf = (_: unknown, at: number) => (results[at] === 'win' ? Math.ceil(moves![at]!.length / 2) : 5);
      const totalMoves = CHALLENGE_DIFFICULTIES.map(movesOf).reduce((sum, one) => sum + one);
      return { playerId, results, wins: count('win'), draws: count('draw'), totalMoves };
    });
    type Computed = (typeof computed)[number];
    const isBetter = (one: Computed, other: Computed) =>
      (one.wins - other.wins || one.draws - other.draws || other.totalMoves - one.totalMoves) > 0;
    expect(entries).toEqual(
      computed.map((entry, at) => ({
        ...entry,
        place: 1 + computed.filter((other) => isBetter(other, entry)).length,
        moves: entries[at]!.moves,
      })),
    );
    expect(entries.find(({ playerId }) => playerId === away!.user.id)).toMatchObject({
      place: 4,
      results: ['win', 'win', 'lose'],
    });
  });
});

describe('the entry of one player', () => {
  const ENTRY = 'name place wins draws totalMoves results moves';
  const entryOf = async (playerId: string, on = day) => {
    const document = `{ challenge(day: "${on}") { entry(playerId: "${playerId}") { ${ENTRY} } } }`;
    const { data } = await new Visitor(server).graphql<{ challenge: { entry: object | null } }>(document);
    return data!.challenge.entry;
  };

  test('is public when the five games are over, and has no moves while the day runs', async () => {
    const player = await aSignedInVisitor(server, { name: 'Ada Lovelace' });
    const results = ['win', 'lose', 'win', 'win', 'draw'] as const;
    await playChallenge(player, day, results.slice(0, 4));
    expect(await entryOf(player.user.id)).toBeNull();
    expect(await challengeOf(player)).toMatchObject({ par: null, attempt: { totalMoves: null } });
    const { attempt } = await playChallenge(player, day, results.slice(4), 5);
    expect((await challengeOf(player)).par).toBe(parOf(seedsOf(day)));
    const entry = { name: 'Ada Lovelace', place: 1, wins: 3, draws: 1, totalMoves: attempt.totalMoves, results };
    expect(await entryOf(player.user.id)).toEqual({ ...entry, moves: null });
    await server.moveClock(DAY);
    const moves = attempt.games.map(({ squares }) => squares.join(''));
    expect(await entryOf(player.user.id)).toEqual({ ...entry, moves });
  });

  test('is null for a player who is hidden, banned, deleted or unknown, and on another day', async () => {
    const players = await Promise.all(Array.from({ length: 3 }, () => aSignedInVisitor(server)));
    const [hidden, banned, deleted] = players as [Player, Player, Player];
    await Promise.all(players.map((player) => playChallenge(player, day, ['lose', 'lose', 'lose', 'lose', 'lose'])));
    for (const { user } of players) expect(await entryOf(user.id)).toMatchObject({ totalMoves: 25 });
    for (const on of [Date.parse(day) - DAY, Date.parse(day) + DAY])
      expect(await entryOf(hidden.user.id, new Date(on).toISOString().slice(0, 10))).toBeNull();
    await ttt(server, 'player', 'hide', hidden.user.id, '--reason', 'Offensive picture');
    // A command keeps the time of this computer, and can end no session of a later day.
    await banned.signOut();
    await ttt(server, 'player', 'ban', banned.user.id, '--reason', 'A bot');
    await deleted.graphql('mutation { deleteAccount }');
    expect(await Promise.all(players.map(({ user }) => entryOf(user.id)))).toEqual([null, null, null]);
    for (const nobody of [randomUUID(), '', 'nobody', '\u0000', "' OR true"]) expect(await entryOf(nobody)).toBeNull();
  });
});

describe('the days of a player', () => {
  const dayAgo = (days: number) => new Date(Date.parse(day) - days * DAY).toISOString().slice(0, 10);
  /** Attempts of earlier days, with as many wins. The last one is of the third day in a row. */
  const played = (player: Player, wins: Record<number, number>) =>
    query(
      server,
      `INSERT INTO challenge_attempts
         (player_id, day, run_start, games, started_at, finished, wins, closed, counted, total_moves)
       SELECT $1, day::date, day::date - 2, '{0,0,0,0,0}', array_fill(now(), ARRAY[5]), 5, wins::smallint, true, 5, 20
       FROM json_each_text($2) AS given (day, wins)`,
      [player.user.id, Object.fromEntries(Object.entries(wins).map(([ago, won]) => [dayAgo(Number(ago)), won]))],
    );

  test('are a run up to yesterday or today, the results of 30 days, and the place of yesterday', async () => {
    const [player, rival] = await Promise.all([aSignedInVisitor(server), aSignedInVisitor(server)]);
    expect(await challengeOf(player)).toMatchObject({ run: 0, days: [], yesterday: null });
    await played(player, { 1: 2, 2: 4, 3: 2, 5: 0, 6: 4, 29: 5, 30: 5 });
    await played(rival, { 1: 3, 2: 1, 4: 1 });
    const shown = Object.entries({ 1: 2, 2: 4, 3: 2, 5: 0, 6: 4, 29: 5 });
    const days = shown.map(([ago, wins]) => ({ day: dayAgo(Number(ago)), wins, draws: 0 }));
    const before = { run: 3, days, yesterday: { place: 2, players: 2 }, isBetter: false };
    expect(await challengeOf(player)).toMatchObject(before);
    await startChallenge(player, day, 1);
    expect(await challengeOf(player)).toMatchObject({ ...before, run: 4 });
    await playChallenge(player, day, ['win', 'win', 'win', 'lose', 'draw']);
    const after = { run: 4, days: [{ day, wins: 3, draws: 1 }, ...days], isBetter: true };
    expect(await challengeOf(player)).toMatchObject({ ...before, ...after });
    await playChallenge(rival, day, ['win', 'win', 'lose', 'lose', 'draw']);
    expect(await challengeOf(rival)).toMatchObject({ run: 4, yesterday: { place: 1 }, isBetter: false });
    await waitAs(server, player, DAY);
    expect(await challengeOf(player)).toMatchObject({ run: 4, yesterday: { place: 1, players: 2 }, isBetter: false });
    await waitAs(server, player, DAY);
    expect(await challengeOf(player)).toMatchObject({ run: 0, yesterday: null });
    await startChallenge(player, dayAgo(-2), 1);
    expect(await challengeOf(player)).toMatchObject({ run: 1 });
  });

  test('have a run that goes on when its first attempts have ended', async () => {
    const player = await aSignedInVisitor(server);
    await played(player, { 1: 2 });
    await query(server, 'UPDATE challenge_attempts SET run_start = day - 499 WHERE player_id = $1', [player.user.id]);
    expect(await challengeOf(player)).toMatchObject({ run: 500 });
    await startChallenge(player, day, 1);
    expect(await challengeOf(player)).toMatchObject({ run: 501 });
  });

  test('wait a minute for the places of a day that has just ended, and hide those of a hidden player', async () => {
    const player = await aSignedInVisitor(server);
    await playChallenge(player, day, ['lose']);
    await waitAs(server, player, DAY / 2 + 30_000);
    expect(await challengeOf(player)).toMatchObject({ run: 1, days: [], yesterday: null });
    await server.moveClock(31_000);
    const settled = { run: 1, days: [{ day, wins: 0, draws: 0 }], yesterday: { place: 1, players: 1 } };
    expect(await challengeOf(player)).toMatchObject(settled);
    await query(server, 'UPDATE player_stats SET listed = false WHERE player_id = $1', [player.user.id]);
    expect(await challengeOf(player)).toMatchObject({ ...settled, yesterday: null });
  });
});

test('an unknown player after whom the table goes on gives an empty list', async () => {
  const { data } = await new Visitor(server).graphql<Table>(TABLE(day, randomUUID()));
  expect(data!.challenge.entries).toEqual([]);
});
