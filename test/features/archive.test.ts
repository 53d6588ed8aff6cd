import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { archiveMonths } from '../../server/operator/archive/archive.js';
import { countGame } from '../builders/finished-game.js';
import { recountPlayer } from '../../server/counting/recount.js';
import { openSource } from '../support/data-source.js';
import { aPlayerAt, link } from '../support/link.js';
import { playGame } from '../support/play.js';
import { query, removeData, type Server, sharedServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

type Player = Visitor & { user: { id: string } };

let server: Server;
let database: DataSource;
let folder: string;
beforeAll(async () => {
  server = await sharedServer();
  database = await openSource(server.databaseUrl!);
});
afterAll(async () => {
  await database.destroy();
  await server.remove();
});
afterEach(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  await removeData(server);
  // The folder for temporary files may be in memory.
  folder = mkdtempSync(resolve('dist', 'archive-'));
  for (const ago of [4, 1]) await query(server, 'SELECT create_games_months($1)', [monthsAgo(ago, 1)]);
});

const because = (reason: string) => ['--operator', 'Grace', '--reason', reason];
const archive = (...options: string[]) =>
  ttt(server, 'archive', 'create', folder, ...options, ...because('Disk space'));
const files = (ending: string) => readdirSync(folder).filter((file) => file.endsWith(ending));

function monthsAgo(months: number, day: number, hour = 12): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, day, hour));
}
const partitionOf = (months: number) => `games_${monthsAgo(months, 1).toISOString().slice(0, 7).replace('-', '_')}`;

type Past = [at: Date, result: Result, difficulty?: Difficulty, source?: 'verified' | 'reported'];

/** Counts games at earlier times. */
async function count(player: Player, ...games: Past[]): Promise<void> {
  for (const [at, result, difficulty = 'easy', source = 'verified'] of games) {
    const verified = source === 'verified';
    const counted = await countGame((sql, values) => query(server, sql, values), {
      playerId: player.user.id,
      sessionId: null,
      id: randomUUID(),
      source,
      difficulty,
      result,
      ...(verified && { seed: 'a seed', moves: [4, 0, 1, 7, 2], startedAt: at }),
      now: at,
    });
    expect(counted.status).toBe('counted');
  }
}

/** A past with a streak across the end of a month, draws at hard, reported results, and a week in two months. */
async function aPast(player: Player): Promise<void> {
  await count(
    player,
    [monthsAgo(4, 3), 'win'],
    [monthsAgo(4, 3, 13), 'draw', 'hard'],
    [monthsAgo(4, 4), 'draw', 'hard'],
    [monthsAgo(4, 5), 'lose', 'hard'],
    [monthsAgo(3, 0), 'win', 'medium'],
    [monthsAgo(3, 1), 'win'],
    [monthsAgo(3, 1, 13), 'win', 'easy', 'reported'],
    [monthsAgo(3, 9), 'draw', 'hard'],
    [monthsAgo(2, 0, 23), 'win'],
    [monthsAgo(2, 1), 'win', 'medium'],
    [monthsAgo(1, 0), 'win', 'hard'],
    [monthsAgo(1, 1), 'draw', 'hard'],
    [monthsAgo(1, 20), 'win'],
  );
}

const everything = async () => ({
  stats: await query(server, `SELECT to_jsonb(player_stats) - 'version' AS stats FROM player_stats ORDER BY player_id`),
  weeks: await query(server, 'SELECT * FROM player_weeks ORDER BY player_id, week'),
});
const rebuild = () => ttt(server, 'stats', 'rebuild');
const OF_PLAYER = `{
  myStats { score winStreak wins losses draws }
  myAchievements { hardDraws hardDrawsInARow bestHardDrawsInARow badges }
  myGames(limit: 50) { id points }
  myArchivedGames { games before }
}`;
interface OfPlayer {
  myStats: { score: number };
  myAchievements: object;
  myGames: { id: string; points: number }[];
  myArchivedGames: { games: number; before: string } | null;
}
const seenBy = async (player: Player) => (await player.graphql<OfPlayer>(OF_PLAYER)).data!;

test('old months leave the database, and all sums, achievements and boards stay as they are', async () => {
  const [ada, grace] = [await aSignedInVisitor(server), await aSignedInVisitor(server)];
  for (const player of [ada, grace]) await aPast(player);
  const [before, seen] = [await everything(), await seenBy(ada)];
  expect(seen.myArchivedGames).toBeNull();

  expect(await archive('--keep', '1')).toMatchObject({ code: 1, said: expect.stringContaining('from 2') });
  expect(await archive('--keep', '3')).toEqual({
    code: 0,
    said:
      `${partitionOf(4)}: 10 games of 2 players are in ${join(folder, files('.gz')[0]!)}.\n` +
      `${partitionOf(3)}: 8 games of 2 players are in ${join(folder, files('.gz')[1]!)}.\n`,
  });
  expect(await everything()).toEqual(before);
  expect(await rebuild()).toEqual({ code: 0, said: '26 games of 2 players: 0 differences\n' });
  const after = await seenBy(ada);
  // Grace's achievements are not in the memory of the server.
  expect((await seenBy(grace)).myAchievements).toEqual(seen.myAchievements);
  expect(after).toMatchObject({ myStats: seen.myStats, myAchievements: seen.myAchievements });
  expect(after.myGames).toEqual(seen.myGames.slice(0, 4));
  expect(after.myArchivedGames).toEqual({ games: 9, before: monthsAgo(2, 1, 0).toISOString() });
  expect((await ada.graphql(`{ game(id: "${seen.myGames.at(-1)!.id}") { id } }`)).data).toEqual({ game: null });

  const [file] = files('.gz');
  const lines = gunzipSync(readFileSync(join(folder, file!)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { playerId: string; number: number; points: number });
  expect(
    lines.filter(({ playerId }) => playerId === ada.user.id).map(({ number, points }) => [number, points]),
  ).toEqual([
    [1, 1],
    [2, 0],
    [3, 0],
    [4, -1],
    [5, 1],
  ]);
  expect(JSON.parse(readFileSync(join(folder, files('.json')[0]!), 'utf8'))).toMatchObject({
    partition: partitionOf(4),
    file,
    games: 10,
    players: 2,
  });
  expect(await query(server, `SELECT action, target, operator, reason FROM audit ORDER BY id`)).toEqual([
    { action: 'games.archive', target: partitionOf(4), operator: 'Grace', reason: 'Disk space' },
    { action: 'games.archive', target: partitionOf(3), operator: 'Grace', reason: 'Disk space' },
  ]);
  expect((await ttt(server, 'archive', 'list')).said).toContain(`${partitionOf(3)}  archived  8`);
  expect((await ttt(server, 'doctor')).said).toContain('archive: 2 months are archived');

  // The recount of a later game begins with the archived streak.
  expect(after.myGames.map(({ points }) => points)).toEqual([1, 0, 2, 1]);
  await ttt(server, 'game', 'void', after.myGames.at(-1)!.id, ...because('Played by a program'));
  expect(await rebuild()).toEqual({ code: 0, said: '25 games of 2 players: 0 differences\n' });
  const counted = await playGame(server, ada, { result: 'win' });
  expect(counted).toMatchObject({ __typename: 'GameCounted' });
  expect(await rebuild()).toMatchObject({ code: 0 });
});

test('restored games can be read, count no second time, and leave again', async () => {
  const [ada, grace] = [await aSignedInVisitor(server), await aSignedInVisitor(server)];
  for (const player of [ada, grace]) await aPast(player);
  const seen = await seenBy(ada);
  await archive('--keep', '3');
  const [first] = files('.gz');
  await grace.graphql('mutation { deleteAccount }');

  expect(await ttt(server, 'archive', 'restore', join(folder, first!), ...because('A question'))).toEqual({
    code: 0,
    said: `5 games of ${partitionOf(4)} can be read again.\n`,
  });
  const { myGames } = await seenBy(ada);
  expect(myGames).toEqual([...seen.myGames.slice(0, 4), ...seen.myGames.slice(8)]);
  expect(await rebuild()).toEqual({ code: 0, said: '13 games of 1 players: 0 differences\n' });
  expect(await ttt(server, 'game', 'void', myGames.at(-1)!.id, ...because('Too late'))).toEqual({
    code: 1,
    said: 'The game is archived, so it cannot be voided any more.\n',
  });
  await query(server, 'UPDATE player_stats SET draws = 7');
  await ttt(server, 'stats', 'rebuild', '--repair', ...because('Wrong sums'));
  expect(await rebuild()).toMatchObject({ code: 0 });

  expect(await archive('--keep', '3')).toMatchObject({
    code: 0,
    said: expect.stringContaining('5 games of 1 players'),
  });
  expect(await seenBy(ada)).toMatchObject({ myStats: seen.myStats, myArchivedGames: { games: 9 } });
  expect(await rebuild()).toMatchObject({ code: 0 });
  // The file from before the deletion is no longer the valid one.
  expect(await ttt(server, 'archive', 'restore', join(folder, first!), ...because('Again'))).toMatchObject({ code: 1 });
});

test('a merge adds the archived games of both accounts, and a deletion removes their sums', async () => {
  const [ada, grace] = [await aPlayerAt(server, 'google'), await aPlayerAt(server, 'github')];
  for (const player of [ada, grace]) await aPast(player);
  await archive('--keep', '3');
  expect(await link(ada, 'github', grace.person)).toMatchObject({ __typename: 'IdentityLinked', stats: { draws: 8 } });
  expect((await seenBy(ada)).myArchivedGames).toMatchObject({ games: 18 });
  expect(await rebuild()).toEqual({ code: 0, said: '26 games of 1 players: 0 differences\n' });
  const before = await everything();
  await database.transaction((transaction) => recountPlayer(transaction, ada.user.id));
  expect(await everything()).toEqual(before);
  const exported = (await (await ada.api('/api/account/export')).json()) as {
    games: object[];
    archivedGames: { stats: object[]; weeks: object[] };
  };
  expect(exported.games).toHaveLength(8);
  expect(exported.archivedGames.stats).toMatchObject([{ wins: 5 }, { wins: 5 }]);

  // The numbers of the player's games have a gap since the merge.
  await count(ada, [monthsAgo(1, 21), 'win'], [monthsAgo(0, 1), 'draw']);
  expect(await archive('--keep', '2')).toMatchObject({ code: 0 });
  expect(await rebuild()).toEqual({ code: 0, said: '28 games of 1 players: 0 differences\n' });
  await ada.graphql('mutation { deleteAccount }');
  for (const table of ['games', 'archived_stats', 'archived_weeks']) {
    expect(await query(server, `SELECT 1 FROM ${table}`)).toEqual([]);
  }
});

test('a game that a late clock has put into an earlier month waits for the next archive', async () => {
  const ada = await aSignedInVisitor(server);
  const late: Past[] = [
    [monthsAgo(4, 28), 'win'],
    [monthsAgo(3, 1, 0), 'win'],
    // The clock of this server is late.
    [new Date(monthsAgo(3, 1, 0).getTime() - 1000), 'win'],
    [monthsAgo(3, 2), 'draw'],
    [monthsAgo(1, 2), 'win'],
  ];
  await count(ada, ...late);
  expect(await archive('--keep', '4')).toMatchObject({ said: expect.stringContaining(': 1 games of 1 players') });
  expect(await query(server, 'SELECT number FROM games_default')).toEqual([{ number: 3 }]);
  expect(await rebuild()).toEqual({ code: 0, said: '5 games of 1 players: 0 differences\n' });
  expect((await ttt(server, 'doctor')).said).toMatch(/^ok +partitions/m);
  expect(await archive('--keep', '3')).toMatchObject({ said: expect.stringContaining(': 3 games of 1 players') });
  expect(await query(server, 'SELECT 1 FROM games_default')).toEqual([]);
  expect(await rebuild()).toEqual({ code: 0, said: '5 games of 1 players: 0 differences\n' });
});

test('a failed archive leaves a database that can be repaired', async () => {
  const [ada, grace] = [await aSignedInVisitor(server), await aSignedInVisitor(server)];
  for (const player of [ada, grace]) await aPast(player);
  const before = await everything();
  await query(server, 'UPDATE games SET bonus = true, points = 2 WHERE player_id = $1 AND number = 1', [ada.user.id]);
  expect(await archive('--keep', '3')).toEqual({
    code: 1,
    said:
      `The game 1 of the player ${ada.user.id} has 2 points, and the rules give it 1. ` +
      'Correct it first: ttt stats rebuild --repair\n',
  });
  expect((await ttt(server, 'doctor')).said).toContain('archive: 0 months are archived');
  expect((await rebuild()).said).toContain(`${ada.user.id} game 1: stored 2, recomputed 1\n`);
  const repaired = await ttt(server, 'stats', 'rebuild', '--repair', ...because('Wrong points'));
  expect(repaired).toMatchObject({ code: 0, said: expect.stringContaining('1 players are recounted') });
  expect(await archive('--keep', '3')).toMatchObject({ code: 0 });
  expect(await everything()).toEqual(before);

  for (const elsewhere of [join(folder, 'missing'), ...(process.platform === 'linux' ? ['/dev/shm'] : [])]) {
    const refused = await ttt(server, 'archive', 'create', elsewhere, ...because('Disk space'));
    expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(/^There is no folder|is in memory/) });
  }
});

test('a month whose restore is not finished cannot be archived', async () => {
  const ada = await aSignedInVisitor(server);
  await count(ada, [monthsAgo(4, 3), 'win'], [monthsAgo(1, 20), 'win']);
  await archive('--keep', '2');
  const [file, , empty] = files('.gz');
  const restore = (name: string) => ttt(server, 'archive', 'restore', join(folder, name), ...because('A question'));
  const isInsert = (statement: unknown) => JSON.stringify(statement).includes('INSERT INTO games');
  const crashRestore = () =>
    withStatements(
      (send, statement) => (isInsert(statement) ? Promise.reject(new Error('The command has crashed')) : send()),
      () => restore(file!),
    );
  expect(await crashRestore()).toMatchObject({ code: 1, said: expect.stringContaining('The command has crashed') });
  expect(await archive('--keep', '2')).toEqual({
    code: 1,
    said: `The restore of ${partitionOf(4)} is not finished. Finish it first: ttt archive restore ${file} (if the file is lost: ttt archive end-restore ${partitionOf(4)})\n`,
  });
  expect(await restore(file!)).toEqual({ code: 0, said: `1 games of ${partitionOf(4)} can be read again.\n` });
  // All files without games have the same checksum.
  const restored = { code: 0, said: `0 games of ${partitionOf(2)} can be read again.\n` };
  let isSlower = true;
  const slower = await withStatements(
    async (send, statement) => {
      const isLast = isSlower && JSON.stringify(statement).includes(`state = 'restoring' FOR UPDATE`);
      if (!isLast) return send();
      isSlower = false;
      expect(await restore(empty!)).toEqual(restored);
      return send();
    },
    () => restore(empty!),
  );
  expect(slower).toMatchObject({ code: 1, said: expect.stringContaining('Another command has restored') });
  expect((await archive('--keep', '2')).said).toContain(`${partitionOf(4)}: 1 games of 1 players`);

  await crashRestore();
  const endRestore = (...reason: string[]) => ttt(server, 'archive', 'end-restore', partitionOf(4), ...reason);
  expect((await endRestore()).said).toContain('needs a reason');
  expect(await endRestore(...because('The disk is lost'))).toEqual({
    code: 0,
    said: `0 of 1 games of ${partitionOf(4)} are back. The month can be archived again.\n`,
  });
  expect((await endRestore(...because('Twice'))).said).toContain('or it is finished');
  // The file is found after all.
  expect(await restore(file!)).toEqual({ code: 0, said: `1 games of ${partitionOf(4)} can be read again.\n` });
  expect((await restore(file!)).said).toContain('in the database already');
  expect(await rebuild()).toEqual({ code: 0, said: '2 games of 1 players: 0 differences\n' });
  expect(await query(server, `SELECT reason FROM audit WHERE action = 'games.end-restore'`)).toEqual([
    { reason: 'The disk is lost' },
  ]);
});

type Send = (this: pg.Client, ...given: unknown[]) => Promise<unknown>;

/** Puts a function between the work and the database. */
async function withStatements<T>(
  between: (send: () => Promise<unknown>, statement: unknown) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const client = pg.Client.prototype as unknown as { query: Send };
  const send = client.query;
  client.query = function (...given) {
    return between(() => send.apply(this, given), given[0]);
  };
  try {
    return await work();
  } finally {
    client.query = send;
  }
}

/** Fails the statement with this number, or its answer, and all later ones. */
const crash: { at?: number; statements: number; answered: boolean } = { statements: 0, answered: false };

test('a crash at any statement loses no game, and counts none twice', async () => {
  const players = [await aSignedInVisitor(server), await aSignedInVisitor(server), await aSignedInVisitor(server)];
  for (const player of players) await aPast(player);
  const before = await everything();
  let crashes = 0;
  const crashEverywhere = async () => {
    for (let finished = false; !finished; crashes++) {
      // One of three crashes comes after the statement.
      Object.assign(crash, { at: crashes + 1, statements: 0, answered: crashes % 3 === 0 });
      try {
        const options = { folder, months: 3 };
        for await (const { games } of archiveMonths(database, { operator: 'Grace', reason: 'Disk space' }, options)) {
          expect(games).toBeGreaterThan(0);
        }
        finished = true;
      } catch (error) {
        expect(String(error)).toContain('The command has crashed');
      }
      crash.at = undefined;
      if (crashes % 5 > 0 && !finished) continue;
      expect(await rebuild()).toEqual({ code: 0, said: '39 games of 3 players: 0 differences\n' });
    }
  };
  await withStatements(async (send, statement) => {
    const isOver = crash.at !== undefined && statement !== 'ROLLBACK' && ++crash.statements >= crash.at;
    const isAnswered = crash.answered && crash.statements === crash.at;
    if (isOver && !isAnswered) throw new Error('The command has crashed');
    const answer = await send();
    if (isOver) throw new Error('The command has crashed');
    return answer;
  }, crashEverywhere);
  expect(crashes).toBeGreaterThan(20);
  expect(await everything()).toEqual(before);
  expect(await query(server, 'SELECT partition, state, games::integer FROM archives ORDER BY until')).toEqual([
    { partition: partitionOf(4), state: 'archived', games: 15 },
    { partition: partitionOf(3), state: 'archived', games: 12 },
  ]);
  expect(await query(server, 'SELECT 1 FROM games WHERE finished_at < $1', [monthsAgo(2, 1, 0)])).toEqual([]);
  expect(await query(server, 'SELECT count(*)::integer AS changes FROM audit')).toEqual([{ changes: 2 }]);
});
