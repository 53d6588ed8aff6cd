import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from '../../server/schema/open-database.js';
import { migrations } from '../../server/schema/migrations/index.js';
import { LEADERS } from '../../server/leaderboard/leaderboard.service.js';
import { migrated, optionsFor } from '../support/migrated.js';
import { type Database, realPostgres } from '../support/postgres.js';

/** The version that appends score changes, and the one before it. */
const VERSION = migrations.findIndex(({ name }) => name.startsWith('ScoreChanges'));

let database: Database;
let pool: pg.Pool;
beforeAll(async () => {
  database = await realPostgres().createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

interface Player {
  id: string;
  session: string;
}

async function aPlayer(): Promise<Player> {
  const { rows } = await pool.query<Player>(
    `WITH player AS (INSERT INTO players (name, provider, created_at) VALUES ('Player', 'google', now()) RETURNING id)
     INSERT INTO sessions (player_id, created_at, last_seen_at, expires_at)
     SELECT id, now(), now(), now() + interval '1 day' FROM player RETURNING player_id AS id, id AS session`,
  );
  return rows[0]!;
}

const play = ({ id, session }: Player, result: 'win' | 'lose' | 'draw') =>
  pool.query(`SELECT status FROM record_game($1, $2, $3, 'reported', 'easy', $4, NULL, NULL, NULL, now(), 0)`, [
    session,
    id,
    randomUUID(),
    result,
  ]);

async function expectExactCounts(): Promise<void> {
  const { rows: counts } = await pool.query(
    'SELECT score, players FROM score_counts WHERE players <> 0 ORDER BY score',
  );
  const { rows: players } = await pool.query(
    `SELECT score, count(*)::integer AS players FROM player_stats
     WHERE wins + losses + draws > 0 GROUP BY score ORDER BY score`,
  );
  expect(counts).toEqual(players);
}

async function untilWaiting(count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::integer FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows[0]!.count >= count) return;
    await new Promise((wake) => setTimeout(wake, 20));
  }
}

test('an update with data, under games and deletions of the previous version, keeps the counts exact', async () => {
  await migrated(database.url, VERSION, (source) => source.runMigrations());
  const players = await Promise.all(Array.from({ length: 4 }, aPlayer));
  const [first, second, third, late] = players as [Player, Player, Player, Player];
  for (const result of ['win', 'win', 'win', 'draw'] as const) await play(first, result);
  for (const result of ['lose', 'win'] as const) await play(second, result);
  await play(third, 'draw');
  await expectExactCounts();

  // A reader holds the migration up until a game waits for it in the middle of the old function.
  const reader = await pool.connect();
  await reader.query('BEGIN');
  await reader.query('SELECT FROM player_stats');
  const update = openDatabase(optionsFor(database.url, VERSION + 1)).then((source) => source.destroy());
  let game: Promise<unknown>;
  do {
    await untilWaiting(1);
    game = play(late, 'win').catch((error: unknown) => error);
    // The game is counted where the migration has given way.
  } while (!(await Promise.race([untilWaiting(2).then(() => true), game.then(() => false)])));
  await reader.query('COMMIT');
  reader.release();
  await update;
  expect(await game).toMatchObject({ code: '23502', table: 'player_stats' });
  await expectExactCounts();

  // A server of the previous version calls the same function, and deletes by the foreign keys' cascade.
  for (const player of [late, first, second]) await play(player, 'win');
  await expectExactCounts();
  await expect(pool.query('DELETE FROM players WHERE id = $1', [first.id])).rejects.toMatchObject({ code: '23503' });
  await expectExactCounts();

  await pool.query('SELECT delete_player($1)', [first.id]);
  await expectExactCounts();
  const { rows } = await pool.query('SELECT fold_score_changes(3) AS folded');
  expect(rows).toEqual([{ folded: 3 }]);
  await expectExactCounts();

  await migrated(database.url, VERSION + 1, (source) => source.undoLastMigration());
  await expectExactCounts();
  await play(third, 'win');
  await pool.query('DELETE FROM players WHERE id = $1', [second.id]);
  await expectExactCounts();
  await migrated(database.url, VERSION + 1, (source) => source.runMigrations());
  await expectExactCounts();
});

/** As servers of that version read it: the schema has no hidden players yet. */
const EARLIER_LEADERS = LEADERS.replace('s.listed AND', '');

test('readers of the leaderboard do not fail while the migration runs', async () => {
  await migrated(database.url, VERSION + 1, (source) => source.undoLastMigration());
  let updating = true;
  const read = async () => {
    while (updating) await pool.query(EARLIER_LEADERS, [10]);
  };
  const readers = [read(), read(), read()];
  const update = openDatabase(optionsFor(database.url, VERSION + 1)).finally(() => (updating = false));
  await Promise.all(readers);
  await (await update).destroy();
});

test('the way back waits for a fold in progress and keeps the counts exact', async () => {
  await migrated(database.url, VERSION + 1, (source) => source.runMigrations());
  const players = await Promise.all(Array.from({ length: 3 }, aPlayer));
  for (const player of players) await play(player, 'win');

  const folder = await pool.connect();
  await folder.query('BEGIN');
  await folder.query('SELECT fold_score_changes(1)');
  const wayBack = migrated(database.url, VERSION + 1, (source) => source.undoLastMigration());
  await untilWaiting(1);
  await play(players[0]!, 'win');
  await folder.query('COMMIT');
  folder.release();
  await wayBack;
  await expectExactCounts();
});

test('folds of several servers during games of the same score keep the counts exact, and wait for nobody', async () => {
  await migrated(database.url, VERSION + 1, (source) => source.runMigrations());
  const players = await Promise.all(Array.from({ length: 30 }, aPlayer));
  let playing = true;
  const fold = async () => {
    while (playing) {
      await pool.query('SELECT fold_score_changes(7)');
      await expectExactCountsAtOnce();
    }
  };
  const folds = [fold(), fold()];
  for (const result of ['win', 'lose', 'draw', 'win'] as const) {
    await Promise.all(players.map((player) => play(player, result)));
  }
  playing = false;
  await Promise.all(folds);

  // A fold in progress holds no lock that another fold or a game needs.
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT fold_score_changes(1000)');
  const other = await pool.query('SELECT fold_score_changes(1000) AS folded');
  expect(other.rows).toEqual([{ folded: 0 }]);
  await play(players[0]!, 'win');
  await holder.query('ROLLBACK');
  holder.release();
  await expectExactCounts();
});

/** In one statement, which sees one moment. */
async function expectExactCountsAtOnce(): Promise<void> {
  const { rows } = await pool.query(
    `SELECT score, players FROM score_counts WHERE players <> 0
     EXCEPT SELECT score, count(*)::integer FROM player_stats WHERE wins + losses + draws > 0 GROUP BY score`,
  );
  expect(rows).toEqual([]);
}
