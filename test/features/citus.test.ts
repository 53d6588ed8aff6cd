import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { squaresFor } from '../builders/finished-game.js';
import {
  createCitusDatabase,
  createDistributedDatabase,
  describeOnCitus,
  distribute,
  killWorker,
  on,
  workersOf,
} from '../support/citus.js';
import { challengeMove, challengeOf, playChallenge, startChallenge } from '../support/challenge.js';
import { aPlayerAt, link, rowsOf, unlink } from '../support/link.js';
import { audit, deliver, inParallel, NOTHING_WRONG, playUnsent, shuffled, type Unsent } from '../support/load.js';
import { finishGame, playGame, startGame } from '../support/play.js';
import { type Database } from '../support/postgres.js';
import { linesDuring, logged, query, type Server, SHARED_SECRET, startServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

describeOnCitus('in a database distributed by Citus', () => {
  let database: Database;
  let server: Server;
  let startKilled: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    database = await createDistributedDatabase();
    const preload = [new URL('../support/logRemoteCommands.js', import.meta.url).href];
    await on(database.url, (client) =>
      client.query(`DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET citus.log_remote_commands = on', current_database());
        EXECUTE format('ALTER DATABASE %I SET client_min_messages = log', current_database());
      END $$`),
    );
    server = await startServer({ databaseUrl: database.url, preload, env: { AUTH_SECRET: SHARED_SECRET } });
  });
  afterAll(async () => {
    // A failed test would leave the cluster without this worker.
    await startKilled?.();
    await server?.remove();
    await database?.drop();
  });

  /** The commands that Citus sends to workers during the work, except those of the histogram of scores and of transactions. */
  async function remoteCommands(work: () => Promise<unknown>): Promise<{ text: string; at: string }[]> {
    const lines = await linesDuring(server, work);
    return lines
      .filter((line) => line.includes('"event":"remote"'))
      .map((line) => JSON.parse(line) as { text: string; at: string })
      .filter(
        ({ text }) =>
          !/issuing (BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|PREPARE|SELECT 1$)|GROUP BY score/.test(text),
      );
  }

  /** Expects commands to one worker alone, and to one shard where the command names its tables. */
  async function expectOneShard(work: () => Promise<unknown>): Promise<void> {
    const commands = await remoteCommands(work);
    const players = commands.filter(({ text }) => !text.includes('.identities_'));
    const shards = (text: string) => [...text.matchAll(/public\.[a-z_]+_(\d{6,})/g)].map(([, shard]) => Number(shard));
    expect(players.length).toBeGreaterThan(0);
    expect(new Set(players.map(({ at }) => at.replace(/connectionId.*/, ''))).size).toBe(1);
    for (const table of ['players', 'sessions', 'player_stats', 'games_2']) {
      const of = players.filter(({ text }) => text.includes(`public.${table}`)).flatMap(({ text }) => shards(text));
      const wholeTable = new Set(of.map((shard) => shard % 8));
      expect(wholeTable.size).toBeLessThanOrEqual(1);
    }
  }

  test('a game starts, is counted, and is read again on one shard', async () => {
    const player = await aSignedInVisitor(server);
    await expectOneShard(() => startGame(player, 'easy'));
    const ticket = await startGame(player, 'easy');
    await server.moveClock(5_000);
    const squares = squaresFor({ ...ticket, result: 'win' });
    await expectOneShard(async () => {
      const { data } = await finishGame(player, ticket.token, squares);
      expect(data?.finishGame).toMatchObject({ __typename: 'GameCounted', stats: { score: 1 } });
    });
    const counted = await remoteCommands(() => finishGame(player, ticket.token, squares));
    // The session is read again a moment later.
    const reads = counted.map(({ text }) => text).filter((text) => !/FROM .*sessions_/.test(text));
    expect(reads).toEqual([expect.stringContaining('LEFT JOIN')]);

    for (const document of [
      '{ me { stats { score } } }',
      '{ me { games { edges { node { id result } } } } }',
      `{ game(playerId: "${player.user.id}", id: "${ticket.gameId}") { result } }`,
    ]) {
      await expectOneShard(async () => expect((await player.graphql(document)).errors).toBeUndefined());
    }
    await expectOneShard(async () => expect((await player.refresh()).status).toBe(200));
  });

  test('an identity is found on one shard', async () => {
    const commands = await remoteCommands(() => aSignedInVisitor(server));
    const lookups = commands.filter(({ text }) => /SELECT .*identities_/.test(text));
    expect(lookups).toHaveLength(1);
  });

  test('the top ten and the standing combine the shards', async () => {
    const players = await Promise.all(Array.from({ length: 12 }, () => aSignedInVisitor(server)));
    for (const [at, player] of players.entries()) {
      for (let game = 0; game <= at % 4; game++) await playGame(server, player, { result: 'win' });
    }
    const { data } = await new Visitor(server).graphql<{ leaderboard: { playerId: string; score: number }[] }>(
      '{ leaderboard(limit: 50) { playerId score } }',
    );
    const scores = data!.leaderboard.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    for (const player of players) {
      const standing = await player.graphql<{ me: { standing: { rank: number; players: number } } }>(
        '{ me { standing { rank players } } }',
      );
      const place = data!.leaderboard.findIndex(({ playerId }) => playerId === player.user.id) + 1;
      expect(standing.data!.me.standing).toEqual({ rank: place, players: scores.length });
    }
    expect(await ttt(server, 'stats', 'rebuild')).toMatchObject({ code: 0 });
  });

  test('a move of the challenge touches one shard; the table and the settlement reach all of them', async () => {
    const players = await Promise.all(Array.from({ length: 6 }, () => aSignedInVisitor(server)));
    const { day } = (await challengeOf(players[0]!)).attempt;
    await startChallenge(players[0]!, day, 1);
    await expectOneShard(async () => {
      expect((await challengeMove(players[0]!, day, [1, 1, 4])).__typename).toBe('ChallengePlayed');
    });
    for (const player of players.slice(1)) {
      await query(
        server,
        `INSERT INTO challenge_attempts (player_id, day, run_start, games, started_at, finished, wins, closed, counted)
         VALUES ($1, $2, $2, '{03142,03142,03142,03142,04}', array_fill(now(), '{5}'), 5, 4, true, 5)`,
        [player.user.id, day],
      );
    }
    // The places may be a second old.
    while ((await challengeOf(players[1]!)).players < 5) await new Promise((later) => setTimeout(later, 50));
    expect(await challengeOf(players[1]!)).toMatchObject({ place: 1, players: 5 });
    // The game of the first player was started yesterday, and nobody has played on.
    await query(server, 'DELETE FROM challenge_attempts WHERE player_id = $1', [players[0]!.user.id]);
    await query(
      server,
      `INSERT INTO challenge_attempts (player_id, day, run_start, games, started_at)
       VALUES ($1, $2::date - 1, $2::date - 1, '{40}', ARRAY[now()])`,
      [players[0]!.user.id, day],
    );
    // A server settles at its start.
    const before = server.log().length;
    await server.restart();
    await logged({ log: () => server.log().slice(before) }, 'challenge_settled');
    const { data } = await players[0]!.graphql<{ me: { stats: { losses: number } } }>('{ me { stats { losses } } }');
    expect(data!.me.stats.losses).toBe(1);
    const { data: table } = await new Visitor(server).graphql<{ challenge: { entries: { place: number }[] } }>(
      `{ challenge(day: "${day}") { entries(limit: 3) { place } } }`,
    );
    expect(table!.challenge.entries).toEqual([{ place: 1 }, { place: 1 }, { place: 1 }]);
  });

  test('rivals of all shards see and forget each other', async () => {
    const [ada, ...takers] = await Promise.all(Array.from({ length: 5 }, () => aSignedInVisitor(server)));
    const { day } = (await challengeOf(ada!)).attempt;
    await playChallenge(ada!, day, ['win', 'draw', 'win', 'lose', 'draw']);
    for (const taker of takers) await startChallenge(taker, day, 1, ada!.user.id);
    const rivalsOf = async (player: Visitor) =>
      (await player.graphql<{ me: { rivals: object[] } }>('{ me { rivals { playerId today { wins } } } }')).data!.me
        .rivals;
    expect(await rivalsOf(ada!)).toHaveLength(4);
    expect(await rivalsOf(takers[1]!)).toEqual([{ playerId: ada!.user.id, today: { wins: 2 } }]);
    await takers[1]!.graphql(`mutation { forgetRival(playerId: "${ada!.user.id}") { name } }`);
    expect([await rivalsOf(ada!), await rivalsOf(takers[1]!)].map(({ length }) => length)).toEqual([3, 0]);
  });

  test('a link takes the identity from an unused player of another shard, and leaves no row of that player', async () => {
    for (let tries = 0; tries < 3; tries++) {
      const ada = await aPlayerAt(server, 'google');
      const grace = await aPlayerAt(server, 'github');
      await playGame(server, ada, { result: 'win' });
      expect(await link(ada, 'github', grace.person)).toMatchObject({ __typename: 'IdentityLinked' });
      expect(await rowsOf(server, grace.user.id)).toBe(0);
      const again = await new Visitor(server).signIn({ provider: 'github', ...grace.person });
      expect(again.user.id).toBe(ada.user.id);
      expect((await unlink(ada, 'github')).data).toEqual({ unlinkIdentity: [{ provider: 'google' }] });
      const other = await aPlayerAt(server, 'github');
      await playGame(server, other, { result: 'win' });
      expect(await link(ada, 'github', other.person)).toMatchObject({ reason: 'has_own_player' });
    }
  });

  test('a deleted account leaves no row on any shard', async () => {
    const player = await aSignedInVisitor(server);
    await playGame(server, player, { result: 'win' });
    expect((await player.graphql('mutation { deleteAccount }')).data).toEqual({ deleteAccount: true });
    expect(await rowsOf(server, player.user.id)).toBe(0);
  });

  test('a killed worker loses no acknowledged result, and players of the other shards continue', async () => {
    const players = await Promise.all(Array.from({ length: 8 }, () => aSignedInVisitor(server)));
    const games: Unsent[] = [];
    for (const player of players) games.push(...(await playUnsent(player, 6)));
    await server.moveClock(20_000);
    const before = await query<{ id: string }>(server, 'SELECT id FROM games');
    const [worker] = await workersOf(database.url);
    const placed = await query<{ id: string; port: number }>(
      server,
      `SELECT id, nodeport AS port FROM unnest($1::uuid[]) AS id
       JOIN pg_dist_shard_placement ON shardid = get_shard_id_for_distribution_column('players', id)`,
      [players.map(({ user }) => user.id)],
    );
    const isDown = ({ user }: Visitor) => placed.find(({ id }) => id === user!.id)!.port === worker!.port;
    expect([true, false].map((down) => players.some((player) => isDown(player) === down))).toEqual([true, true]);

    const first = shuffled(games);
    const half = first.splice(0, games.length / 2);
    await inParallel(half, 8, async (game) => void (await deliver(game, [server])));
    startKilled = await killWorker(worker!);
    const [away, there] = [first.filter(({ player }) => isDown(player)), first.filter(({ player }) => !isDown(player))];
    await inParallel(there, 8, async (game) => {
      expect((await deliver(game, [server])).answer.__typename).toBe('GameCounted');
    });
    for (const { player, ticket, squares } of away.slice(0, 1)) {
      const { errors } = await finishGame(player, ticket.token, squares);
      expect(errors?.[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE');
    }
    const waiting = inParallel(away, 8, async (game) => void (await deliver(game, [server])));
    await startKilled();
    await waiting;

    const result = await audit(server, games);
    const known = new Set(before.map(({ id }) => id));
    expect({ ...result, unasked: result.unasked!.filter((id) => !known.has(String(id))) }).toMatchObject({
      ...NOTHING_WRONG,
      unasked: expect.any(Array),
    });
    expect(await ttt(server, 'stats', 'rebuild')).toMatchObject({ code: 0 });
  });
});

describeOnCitus('ttt distribute', () => {
  test('keeps the data of a database in use, and changes nothing the second time', async () => {
    const database = await createCitusDatabase();
    try {
      const server = await startServer({ databaseUrl: database.url });
      const player = await aSignedInVisitor(server);
      await playGame(server, player, { result: 'win' });
      await server.stop();
      expect(await distribute(database.url)).toEqual({
        code: 0,
        said: 'The tables are distributed. Start the servers.\n',
      });
      expect(await distribute(database.url)).toEqual({ code: 0, said: 'The tables were distributed already.\n' });
      await server.restart();
      await playGame(server, player, { result: 'win' });
      const { data } = await player.graphql('{ me { stats { score } games { edges { node { result } } } } }');
      expect(data).toEqual({
        me: { stats: { score: 2 }, games: { edges: [{ node: { result: 'win' } }, { node: { result: 'win' } }] } },
      });
      await server.remove();
    } finally {
      await database.drop();
    }
  });
});
