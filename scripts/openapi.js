/** Describes REST by the shapes in the built server, which check each request and make each answer (`npm run schema`). */
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { builtModule } from './build/ensure-built.js';
import { currentVersion } from './release/version.js';

// Every folder adds its refusals to FORMS.
await builtModule('app/app.module.js');
const { FORMS } = await builtModule('web/answers/refusals.js');
const { limitQuery } = await builtModule('web/input.js');
const { keyHeader, reportBody, restStats, statsQuery } = await builtModule('stats/player-stats.controller.js');
const { restEntry, tagHeader } = await builtModule('leaderboard/leaderboard.controller.js');

/** @param {string} description */
const header = (description, required = false) => ({ description, required, schema: { type: 'string' } });

const HEADERS = {
  'X-Request-Id': header('Finds the request in the log: quote it to the operator.', true),
  'RateLimit-Policy': header('The limit with the least left: `"token";q=1500;w=60` is 1,500 requests in 60 seconds.'),
  RateLimit: header('What is left of it: `"token";r=1499;t=60` is 1,499 requests in the next 60 seconds.'),
  ETag: header('Changes with the answer.', true),
  'Retry-After': header('After so many seconds, the same request may succeed.', true),
  'WWW-Authenticate': header('What is wrong with the token (RFC 6750).'),
};
/** @typedef {keyof typeof HEADERS} Header */

/** @type {Record<number, Header[]>} */
const OF_STATUS = {
  304: ['ETag'],
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** @param {'headers' | 'schemas'} kind @param {string} name */
const shared = (kind, name) => ({ $ref: `#/components/${kind}/${name}` });

/** Open where the shape ignores what it does not know, as clients must. @param {z.ZodType} shape */
const schemaOf = (shape) => ({ ...z.toJSONSchema(shape, { io: 'input' }), $schema: undefined });

/** @param {object} schema */
const json = (schema) => ({ 'application/json': { schema } });

/** @param {number} status @param {object} [schema] @param {Header[]} [more] */
function answer(status, schema, more = OF_STATUS[status] ?? []) {
  const names = /** @type {Header[]} */ (['X-Request-Id', 'RateLimit-Policy', 'RateLimit', ...more]);
  return {
    description: STATUS_CODES[status],
    headers: Object.fromEntries(names.map((name) => [name, shared('headers', name)])),
    content: schema && json(schema),
  };
}

/** @param {'query' | 'header'} place @param {z.ZodObject} shape */
const parameters = (place, shape) =>
  Object.entries(z.toJSONSchema(shape).properties ?? {}).map(([name, schema]) => ({
    name: place === 'header' ? name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) : name,
    in: place,
    required: !shape.shape[name]?.safeParse(undefined).success,
    schema,
  }));

/** @type {{ code: string, status: number, sentence?: string }[]} */
const forms = [...FORMS].map(([code, form]) => ({ code, ...form }));

/** The answers with these codes, by status. @param {string[]} codes */
function refusals(...codes) {
  const found = forms.filter(({ code }) => codes.includes(code));
  return Object.fromEntries(
    found.map(({ status }) => {
      const own = found.filter((form) => form.status === status);
      const problem = z.object({
        error: z.string().describe('For people: what is missing or wrong. The words may change.'),
        code: z.enum(own.map(({ code }) => code)),
      });
      const examples = own.map(({ code, sentence }) => ({ error: sentence, code }));
      return [status, answer(status, { ...schemaOf(problem), examples })];
    }),
  );
}

const OF_ALL = [
  ...['bad_request', 'token_in_address', 'too_many_requests', 'too_many_headers', 'header_too_long'],
  ...['unexpected', 'service_unavailable'],
];
const OF_TOKENS = [
  ...['unauthenticated', 'token_unknown', 'token_ended', 'token_revoked', 'player_banned', 'insufficient_scope'],
  'other_player',
];
const OF_REPORTS = [
  ...['payload_too_large', 'unsupported_media_type', 'reports_rejected', 'key_of_another_request', 'voided'],
  ...['too_many_games', 'too_many_games_today'],
];

const stats = answer(200, shared('schemas', 'Stats'));
const board = answer(200, { type: 'array', items: shared('schemas', 'LeaderboardEntry') }, ['ETag']);

export const openApi = {
  openapi: '3.1.1',
  info: {
    title: 'Tic-Tac-Toe',
    version: currentVersion(),
    description: 'The three routes of REST. /schema.graphql describes GraphQL, which has all else.',
  },
  servers: [{ url: '/' }],
  paths: {
    '/api/player/stats': {
      get: {
        operationId: 'readStats',
        summary: 'Your stats.',
        security: [{ token: ['stats:read'] }],
        parameters: parameters('query', statsQuery),
        responses: { 200: stats, ...refusals(...OF_ALL, ...OF_TOKENS) },
      },
      post: {
        operationId: 'reportResult',
        summary: 'Counts a result without its moves: for all time alone, for no week, challenge or badge.',
        security: [{ token: ['games:write'] }],
        parameters: parameters('header', keyHeader),
        requestBody: { required: true, content: json(shared('schemas', 'Report')) },
        responses: { 200: stats, ...refusals(...OF_ALL, ...OF_TOKENS, ...OF_REPORTS) },
      },
    },
    '/api/leaderboard': {
      get: {
        operationId: 'readLeaderboard',
        summary: 'The best players, the best one first.',
        parameters: [...parameters('query', limitQuery), ...parameters('header', tagHeader)],
        responses: { 200: board, 304: answer(304), ...refusals(...OF_ALL) },
      },
    },
  },
  components: {
    headers: HEADERS,
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'A personal token: make one at /playground.' },
    },
    schemas: {
      Stats: schemaOf(restStats),
      LeaderboardEntry: schemaOf(restEntry),
      Report: schemaOf(reportBody),
      Code: {
        description:
          'The closed list of codes, which GraphQL has in capital letters. Health checks alone have `stopping` and those of the database.',
        oneOf: forms.flatMap(({ code, status, sentence }) =>
          // A client that has left receives no code.
          sentence && status !== 499 ? { const: code, description: `${status}: ${sentence}` } : [],
        ),
      },
    },
  },
};
