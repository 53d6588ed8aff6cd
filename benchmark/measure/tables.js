/** Players by the million, written straight into the product's tables and into those of the peer. */

/** @typedef {import('pg').Client} Client */

/** How the scores are spread: wins and losses of a player with at least one game. */
const SPREAD = '1 + floor(-ln(1 - random()) * 300)::integer AS wins, floor(random() * 100)::integer AS losses';

const FILLED = ['players', 'player_stats', 'sessions'];

/**
 * Replaces all players. Each has a session and a first game, so that every table grows.
 * @param {Client} client @param {number} players
 */
export async function fill(client, players) {
  await client.query('TRUNCATE players CASCADE');
  // Earlier revisions have a partition of the games for each month.
  const { rows } = await client.query(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'games'::regclass`,
  );
  const tables = [...FILLED, ...(rows.length > 0 ? rows.map(({ name }) => name) : ['games'])];
  await client.query('BEGIN');
  // Foreign keys are checked row by row, which takes minutes for millions: these rows refer to each other.
  await client.query('SET LOCAL session_replication_role = replica');
  // Indexes are built from full tables, which is several times faster. REINDEX makes them valid again.
  await client.query(
    'UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid = ANY ($1::regclass[])',
    [tables],
  );
  await client.query(
    `INSERT INTO players (name, provider, created_at)
     SELECT 'Player ' || n, 'google', now() FROM generate_series(1, $1::integer) n`,
    [players],
  );
  await client.query(`
    INSERT INTO player_stats (player_id, score, wins, losses, easy_wins, reached_at)
    SELECT id, wins - losses, wins, losses, wins, now() FROM (SELECT id, ${SPREAD} FROM players) AS played`);
  await client.query(`
    INSERT INTO sessions (player_id, created_at, last_seen_at, expires_at)
    SELECT id, now(), now(), now() + interval '1 day' FROM players`);
  await client.query(`
    INSERT INTO games (id, player_id, number, source, difficulty, result, bonus, points, finished_at)
    SELECT gen_random_uuid(), id, 1, 'reported', 'easy', 'draw', false, 0, now() FROM players`);
  await client.query("SET LOCAL maintenance_work_mem = '512MB'");
  for (const table of tables) await client.query(`REINDEX TABLE ${table}`);
  await client.query('COMMIT');
  await client.query('VACUUM ANALYZE');
  // Otherwise the measured requests share the disk with it.
  await client.query('CHECKPOINT');
}

/**
 * Some players anywhere in the tables, in any order.
 * @param {Client} client @param {number} wanted
 * @returns {Promise<import('./product.js').SignedIn[]>}
 */
export async function somePlayers(client, wanted) {
  const { rows } = await client.query('SELECT count(*)::integer AS players FROM sessions');
  const percent = Math.min(100, (wanted * 300) / rows[0].players);
  const found = await client.query(
    `SELECT * FROM (SELECT player_id AS "playerId", id AS "sessionId" FROM sessions TABLESAMPLE BERNOULLI ($1)) AS sample
     ORDER BY random() LIMIT $2`,
    [percent, wanted],
  );
  return found.rows;
}

/** The same players for the peer, in tables designed for these requests alone. */
export async function makePeerTables(/** @type {Client} */ client) {
  await client.query(`
    CREATE SCHEMA peer;
    CREATE TABLE peer.players (id uuid PRIMARY KEY, name text NOT NULL, picture text);
    CREATE TABLE peer.sessions (
      id uuid PRIMARY KEY, player_id uuid NOT NULL REFERENCES peer.players,
      expires_at timestamptz NOT NULL, revoked_at timestamptz
    );
    CREATE TABLE peer.games (
      id uuid PRIMARY KEY, player_id uuid NOT NULL REFERENCES peer.players,
      difficulty text NOT NULL, result text NOT NULL, seed text NOT NULL, moves smallint[] NOT NULL,
      started_at timestamptz NOT NULL, finished_at timestamptz NOT NULL
    );
    CREATE TABLE peer.stats (
      player_id uuid PRIMARY KEY REFERENCES peer.players,
      score integer NOT NULL, win_streak smallint NOT NULL, wins integer NOT NULL, losses integer NOT NULL,
      draws integer NOT NULL, easy_wins integer NOT NULL, medium_wins integer NOT NULL, hard_wins integer NOT NULL,
      reached_at timestamptz NOT NULL
    );
    CREATE INDEX ON peer.stats (score DESC, wins DESC, losses, reached_at, player_id);
    INSERT INTO peer.players SELECT id, name, picture FROM players;
    INSERT INTO peer.sessions SELECT id, player_id, expires_at, revoked_at FROM sessions;
    INSERT INTO peer.stats
      SELECT player_id, score, win_streak, wins, losses, draws, easy_wins, medium_wins, hard_wins, reached_at FROM player_stats`);
  await client.query('VACUUM ANALYZE');
}
