/**
 * The same work on Fastify and node-postgres, without a framework above them, with the product's rules: statements with names,
 * answers through compiled serialisers, bodies through compiled validators. `finishGame` is one statement.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import jwt from '@fastify/jwt';
import Fastify from 'fastify';
import pg from 'pg';

const { DATABASE_URL, POOL_SIZE, TICKET_KEY = '', PUBLIC_KEY = '', REPLAY = '' } = process.env;
const { replay } = await import(REPLAY);
const { BOT_MOVE_DELAY } = await import(new URL('bot.js', REPLAY).href);

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(POOL_SIZE) });

const COLUMNS = `score, win_streak AS "winStreak", wins, losses, draws, easy_wins AS "easyWins",
  medium_wins AS "mediumWins", hard_wins AS "hardWins"`;

const COUNT = `
  WITH session AS (
    SELECT player_id FROM peer.sessions WHERE id = $1 AND player_id = $2 AND revoked_at IS NULL AND expires_at > $9
  ), game AS (
    INSERT INTO peer.games (id, player_id, difficulty, result, seed, moves, started_at, finished_at)
    SELECT $3, player_id, $4, $5, $6, $7, $8, $9 FROM session ON CONFLICT (id) DO NOTHING RETURNING player_id
  )
  INSERT INTO peer.stats AS s (player_id, score, win_streak, wins, losses, draws, easy_wins, medium_wins, hard_wins, reached_at)
  SELECT player_id, $10::int - $11::int, $10, $10, $11, $12, $13, $14, $15, $9 FROM game
  ON CONFLICT (player_id) DO UPDATE SET
    score = s.score + excluded.score + (s.win_streak = 2 AND excluded.wins = 1)::int,
    win_streak = CASE WHEN excluded.wins = 1 AND s.win_streak < 2 THEN s.win_streak + 1 ELSE 0 END,
    wins = s.wins + excluded.wins, losses = s.losses + excluded.losses, draws = s.draws + excluded.draws,
    easy_wins = s.easy_wins + excluded.easy_wins, medium_wins = s.medium_wins + excluded.medium_wins,
    hard_wins = s.hard_wins + excluded.hard_wins,
    reached_at = CASE WHEN excluded.draws = 1 THEN s.reached_at ELSE excluded.reached_at END
  RETURNING ${COLUMNS}`;

/**
 * @param {{ sub: string, sid: string }} token
 * @param {{ ticket: string, squares: number[] }} sent
 */
async function finishGame({ sub: playerId, sid }, { ticket, squares }) {
  const opened = open(ticket);
  if (!opened || opened.playerId !== playerId) throw refusal(422, 'The ticket is not valid.');
  const { id, difficulty, seed, issuedAt } = opened;
  const replayed = replay({ difficulty, seed, squares });
  const now = new Date();
  if (!replayed.ok || now.getTime() - issuedAt < replayed.game.botMoves * BOT_MOVE_DELAY) {
    throw refusal(422, 'The game is not valid.');
  }
  const { result, moves } = replayed.game;
  const squaresOfBoth = moves.map((/** @type {{ square: number }} */ { square }) => square);
  const stats = await count([sid, playerId, id, difficulty, result, seed, squaresOfBoth, new Date(issuedAt), now]);
  return { game: { id, difficulty, result, seed, finishedAt: now.toISOString(), moves }, stats };
}

/**
 * A result that the client reports: the same writes without a replay.
 * @param {{ sub: string, sid: string }} token
 * @param {{ userId: string, result: string, difficulty: string }} sent
 */
function report({ sub: playerId, sid }, { userId, result, difficulty }) {
  if (userId !== playerId) throw refusal(403, 'The token belongs to another player.');
  const now = new Date();
  return count([sid, playerId, randomUUID(), difficulty, result, '', [], now, now]);
}

/** Stores a game and adds it to the sums. @param {unknown[]} game the first nine values of the statement */
async function count(game) {
  const [, , , difficulty, result] = game;
  const won = Number(result === 'win');
  const sums = [won, Number(result === 'lose'), Number(result === 'draw')];
  const wins = ['easy', 'medium', 'hard'].map((level) => (difficulty === level ? won : 0));
  const { rows } = await pool.query({ name: 'count', text: COUNT, values: [...game, ...sums, ...wins] });
  if (!rows[0]) throw refusal(409, 'The game is counted already, or the session has ended.');
  return rows[0];
}

const refusal = (/** @type {number} */ statusCode, /** @type {string} */ message) =>
  Object.assign(new Error(message), { statusCode });

/** A ticket is `id.player.difficulty.seed.time.mac`. */
function open(/** @type {string} */ ticket) {
  const end = ticket.lastIndexOf('.');
  const mac = createHmac('sha256', TICKET_KEY).update(ticket.slice(0, end)).digest();
  const given = Buffer.from(ticket.slice(end + 1), 'base64url');
  if (given.length !== mac.length || !timingSafeEqual(given, mac)) return undefined;
  const [id, playerId, difficulty, seed, issuedAt] = ticket.split('.');
  return { id, playerId, difficulty, seed, issuedAt: Number(issuedAt) };
}

const app = Fastify();
await app.register(jwt, {
  secret: { public: PUBLIC_KEY },
  verify: { algorithms: ['EdDSA'], requiredClaims: ['sub', 'sid', 'exp'] },
});

const integers = (/** @type {string[]} */ ...names) =>
  Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
const strings = (/** @type {string[]} */ ...names) =>
  Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
const STATS = {
  type: 'object',
  properties: integers('score', 'winStreak', 'wins', 'losses', 'draws', 'easyWins', 'mediumWins', 'hardWins'),
};
app.route({
  method: 'POST',
  url: '/games',
  schema: {
    body: {
      type: 'object',
      required: ['ticket', 'squares'],
      properties: { ticket: { type: 'string' }, squares: { type: 'array', maxItems: 5, items: { type: 'integer' } } },
    },
    response: {
      200: {
        type: 'object',
        properties: {
          game: {
            type: 'object',
            properties: {
              ...strings('id', 'difficulty', 'result', 'seed', 'finishedAt'),
              moves: {
                type: 'array',
                items: { type: 'object', properties: { mark: { type: 'string' }, square: { type: 'integer' } } },
              },
            },
          },
          stats: STATS,
        },
      },
    },
  },
  handler: async (request) =>
    finishGame(await request.jwtVerify(), /** @type {{ ticket: string, squares: number[] }} */ (request.body)),
});

app.route({
  method: 'POST',
  url: '/stats',
  schema: {
    body: {
      type: 'object',
      required: ['userId', 'result', 'difficulty'],
      properties: strings('userId', 'result', 'difficulty'),
    },
    response: { 200: STATS },
  },
  handler: async (request) => {
    const token = /** @type {{ sub: string, sid: string }} */ (await request.jwtVerify());
    return report(token, /** @type {{ userId: string, result: string, difficulty: string }} */ (request.body));
  },
});

const OWN = `SELECT ${COLUMNS} FROM peer.stats JOIN peer.sessions USING (player_id)
  WHERE id = $1 AND player_id = $2 AND revoked_at IS NULL AND expires_at > now()`;
app.route({
  method: 'GET',
  url: '/stats',
  schema: { response: { 200: STATS } },
  handler: async (request) => {
    const { sub, sid } = /** @type {{ sub: string, sid: string }} */ (await request.jwtVerify());
    const { rows } = await pool.query({ name: 'own', text: OWN, values: [sid, sub] });
    if (!rows[0]) throw refusal(401, 'The session has ended.');
    return rows[0];
  },
});

app.route({
  method: 'GET',
  url: '/leaderboard',
  schema: {
    querystring: { type: 'object', properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 } } },
    response: {
      200: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            ...strings('user_id', 'name'),
            picture: { type: ['string', 'null'] },
            ...integers('score', 'wins', 'losses', 'draws', 'total_games'),
          },
        },
      },
    },
  },
  handler: async (request) => {
    const text = `
      SELECT p.id AS user_id, p.name, p.picture, s.score, s.wins, s.losses, s.draws,
        s.wins + s.losses + s.draws AS total_games
      FROM peer.stats s JOIN peer.players p ON p.id = s.player_id
      ORDER BY s.score DESC, s.wins DESC, s.losses, s.reached_at, s.player_id LIMIT $1`;
    const { limit } = /** @type {{ limit: number }} */ (request.query);
    return (await pool.query({ name: 'leaders', text, values: [limit] })).rows;
  },
});

app.route({
  method: 'GET',
  url: '/stats/:playerId',
  schema: { params: { type: 'object', properties: strings('playerId') }, response: { 200: STATS } },
  handler: async (request) => {
    const { playerId } = /** @type {{ playerId: string }} */ (request.params);
    const text = `SELECT ${COLUMNS} FROM peer.stats WHERE player_id = $1`;
    return (await pool.query({ name: 'stats', text, values: [playerId] })).rows[0];
  },
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
