/**
 * The same work on Fastify and node-postgres, without a framework above them: statements with names, answers through
 * compiled serialisers, bodies through compiled validators.
 */
import jwt from '@fastify/jwt';
import Fastify from 'fastify';
import { COLUMNS, finishGame, pool, report, TOKENS } from './same-work.js';

const app = Fastify();
await app.register(jwt, TOKENS);

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

const REPORT = {
  type: 'object',
  required: ['userId', 'result', 'difficulty'],
  properties: strings('userId', 'result', 'difficulty'),
};

app.route({
  method: 'POST',
  url: '/stats',
  schema: { body: REPORT, response: { 200: STATS } },
  handler: async (request) => {
    const token = /** @type {{ sub: string, sid: string }} */ (await request.jwtVerify());
    return report(token, /** @type {{ userId: string, result: string, difficulty: string }} */ (request.body));
  },
});

app.route({
  method: 'POST',
  url: '/results',
  schema: {
    body: REPORT,
    response: { 200: { type: 'object', properties: strings('id') } },
  },
  handler: async (request) => {
    const { userId, result, difficulty } = /** @type {Record<string, string>} */ (request.body);
    const text = 'INSERT INTO results.results (player_id, result, difficulty) VALUES ($1, $2, $3) RETURNING id';
    const { rows } = await pool.query({ name: 'insert', text, values: [userId, result, difficulty] });
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
