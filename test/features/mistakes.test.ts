import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

let server: Server;
let player: Awaited<ReturnType<typeof aSignedInVisitor>>;
let reader: string;
beforeAll(async () => {
  server = await sharedServer();
  player = await aSignedInVisitor(server);
  const { data } = await player.graphql<{ createToken: { secret: string } }>(
    'mutation { createToken(name: "Reader", scopes: [games_read]) { secret } }',
  );
  reader = data!.createToken.secret;
});
afterAll(() => server.remove());

const JSON_TYPE = { 'content-type': 'application/json' };
const STATS = '/api/player/stats';
const GAMES = '/api/games';
const BOARD = '/api/leaderboard';
const OTHER = '7d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e';
const DIFFICULTIES = 'difficulty must be one of: easy, medium, hard';
const CURSOR = 'cursor must be the one of a page before, as the server gave it';
const DAY = 'day must be a UTC day such as 2026-11-22';
const DESCRIBED = 'as GET /api/me tells it';

type Init = RequestInit & { headers?: Record<string, string> };
const get = (headers: Record<string, string> = {}): Init => ({ headers });
const post = (body: unknown, headers: Record<string, string> = {}): Init => ({
  method: 'POST',
  headers: { ...JSON_TYPE, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
/** A report of the player, with a change. */
const report =
  (change: object, headers = {}) =>
  () =>
    post({ userId: player.user.id, result: 'win', difficulty: 'easy', ...change }, headers);
const by = (authorization: () => string) => () => ({ headers: { authorization: authorization() } });

/** What a program may get wrong: the request, the status, the code and what the sentence says. */
const MISTAKES: [what: string, path: string, init: () => Init, status: number, code: string, sentence: string][] = [
  ['no token', '/api/me', by(() => ''), 401, 'unauthenticated', 'Sign in first.'],
  [
    'a token without Bearer',
    '/api/me',
    by(() => reader),
    401,
    'unauthenticated',
    'the word Bearer, a space and a token',
  ],
  ['another scheme', '/api/me', by(() => `Basic ${reader}`), 401, 'unauthenticated', 'the word Bearer'],
  ['two tokens', '/api/me', by(() => `Bearer ${reader} ${reader}`), 401, 'unauthenticated', 'the word Bearer'],
  ['a garbled access token', '/api/me', by(() => 'Bearer abc'), 401, 'unauthenticated', 'not valid or has expired'],
  [
    'a cut token',
    '/api/me',
    by(() => `Bearer ${reader.slice(0, -1)}`),
    401,
    'token_unknown',
    'Check that it is complete',
  ],
  ['a mistyped token', '/api/me', by(() => `Bearer ${reader}0`), 401, 'token_unknown', 'not a token of this server'],
  [
    'a token in the address',
    '/api/me?token=TOKEN',
    get,
    400,
    'token_in_address',
    'Send tokens in the header Authorization',
  ],
  [
    'a token without the scope',
    GAMES,
    () => post({ difficulty: 'easy' }, { authorization: `Bearer ${reader}` }),
    403,
    'insufficient_scope',
    'the scope games:write. Yours has: games:read.',
  ],
  [
    'a token where none is taken',
    '/api/account/export',
    by(() => `Bearer ${reader}`),
    403,
    'token_not_accepted',
    'needs a sign-in in the browser',
  ],
  [
    'no userId',
    STATS,
    get,
    400,
    'bad_request',
    `userId is missing. userId must be the id of the signed-in player, ${DESCRIBED}`,
  ],
  [
    'a wrong userId',
    `${STATS}?userId=7`,
    get,
    400,
    'bad_request',
    `userId is no id of a player. userId must be the id of the signed-in player, ${DESCRIBED}`,
  ],
  ['another player', `${STATS}?userId=${OTHER}`, get, 403, 'other_player', 'this one belongs to somebody else'],
  [
    'no content type',
    STATS,
    () => ({ method: 'POST', body: '{}', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    415,
    'unsupported_media_type',
    'Send JSON with the header Content-Type: application/json',
  ],
  [
    'text',
    STATS,
    () => ({ method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } }),
    415,
    'unsupported_media_type',
    'Content-Type: application/json',
  ],
  [
    'another charset',
    STATS,
    () => post({}, { 'content-type': 'application/json; charset=latin1' }),
    415,
    'unsupported_media_type',
    'JSON in UTF-8',
  ],
  [
    'another compression',
    STATS,
    () => post({}, { 'content-encoding': 'zstd' }),
    415,
    'unsupported_media_type',
    'gzip, deflate, br or not at all',
  ],
  ['broken JSON', STATS, () => post('{'), 400, 'bad_request', 'the body must be valid JSON'],
  ['a number as the body', STATS, () => post('7'), 400, 'bad_request', 'the body must be valid JSON'],
  [
    'a list as the body',
    STATS,
    () => post([]),
    400,
    'bad_request',
    'The body must be a JSON object with userId, result and difficulty',
  ],
  ['an empty body', STATS, () => post({}), 400, 'bad_request', 'userId is missing'],
  [
    'a body of 17 kB',
    STATS,
    () => post({ result: 'x'.repeat(17_000) }),
    413,
    'payload_too_large',
    'the limit is 16384 bytes',
  ],
  [
    'an unknown field',
    STATS,
    report({ score: 7 }),
    400,
    'bad_request',
    'Unknown: score. The fields are: userId, result, difficulty',
  ],
  ['a wrong result', STATS, report({ result: 'won' }), 400, 'bad_request', 'result must be one of: win, lose, draw'],
  ['a wrong difficulty', STATS, report({ difficulty: 'Hard' }), 400, 'bad_request', DIFFICULTIES],
  [
    'an empty key',
    STATS,
    report({}, { 'idempotency-key': ' ' }),
    400,
    'bad_request',
    '1 to 255 visible ASCII characters',
  ],
  [
    'a long key',
    STATS,
    report({}, { 'idempotency-key': 'k'.repeat(256) }),
    400,
    'bad_request',
    'Idempotency-Key must be',
  ],
  [
    'a key with a space',
    GAMES,
    () => post({ difficulty: 'easy' }, { 'idempotency-key': 'a b' }),
    400,
    'bad_request',
    'Idempotency-Key must be',
  ],
  ['no difficulty', GAMES, () => post({}), 400, 'bad_request', DIFFICULTIES],
  ['no body at all', GAMES, () => ({ method: 'POST' }), 400, 'bad_request', DIFFICULTIES],
  ['another field', GAMES, () => post({ level: 'easy' }), 400, 'bad_request', 'The fields are: difficulty'],
  [
    'no ticket',
    `${GAMES}/x/moves`,
    () => post({ squares: [] }),
    400,
    'bad_request',
    'as POST /api/games has answered it',
  ],
  [
    'a forged ticket',
    `${GAMES}/x/moves`,
    () => post({ ticket: 'x', squares: [] }),
    422,
    'ticket_invalid',
    'Start a new game.',
  ],
  [
    'squares as text',
    `${GAMES}/x/finish`,
    () => post({ ticket: 'x', squares: '048' }),
    400,
    'bad_request',
    'your own squares in order, each 0 to 8',
  ],
  [
    'a square off the board',
    `${GAMES}/x/finish`,
    () => post({ ticket: 'x', squares: [9] }),
    400,
    'bad_request',
    'your own squares in order, each 0 to 8',
  ],
  ['a reading of all games', GAMES, get, 405, 'method_not_allowed', 'This address answers POST only.'],
  [
    'a deletion',
    BOARD,
    () => ({ method: 'DELETE' }),
    405,
    'method_not_allowed',
    'This address answers GET, HEAD only.',
  ],
  ['an unknown game', `${GAMES}/none`, get, 404, 'not_found', 'There is no such game.'],
  ['an unknown player', `/api/players/${OTHER}`, get, 404, 'not_found', 'There is no such player.'],
  ['games of an unknown player', `/api/players/x/games`, get, 404, 'not_found', 'There is no such player.'],
  [
    'a place of an unknown player',
    `${BOARD}?around=${OTHER}`,
    get,
    404,
    'not_found',
    'This player is not on the leaderboard.',
  ],
  ['no id to be around', `${BOARD}?around=me`, get, 400, 'bad_request', 'around must be the id of a player'],
  [
    'two ways to page',
    `${BOARD}?around=${OTHER}&period=week`,
    get,
    400,
    'bad_request',
    'around needs the period all and no cursor',
  ],
  ['a made-up cursor', `${BOARD}?cursor=abc`, get, 400, 'bad_request', CURSOR],
  ['a limit of 0', `${BOARD}?limit=0`, get, 400, 'bad_request', 'limit must be a whole number from 1 to 100'],
  ['another period', `${BOARD}?period=month`, get, 400, 'bad_request', 'period must be one of: all, week'],
  [
    'a Tuesday',
    `${BOARD}?period=week&week=2026-11-24`,
    get,
    400,
    'bad_request',
    'week must be the Monday on which the week begins',
  ],
  ['a week alone', `${BOARD}?week=2026-11-23`, get, 400, 'bad_request', 'week needs the period week'],
  ['a day that does not exist', '/api/challenges/2026-02-30', get, 400, 'bad_request', DAY],
  ['a word for a day', '/api/challenges/today', get, 400, 'bad_request', DAY],
  ['another address', '/api/nothing', get, 404, 'not_found', 'There is nothing at this address.'],
];

test.each(MISTAKES)('%s says what to do', async (_what, path, init, status, code, sentence) => {
  const given = init();
  const visitor = 'authorization' in (given.headers ?? {}) ? new Visitor(server) : player;
  const response = await visitor.api(path.replace('TOKEN', reader), given);
  const answer = (await response.json()) as { error: string; code: string };
  expect([answer.error.includes(sentence) || answer.error, answer]).toEqual([
    true,
    { error: answer.error, code, status, type: `${server.origin}/docs#${code}` },
  ]);
  expect(response.status).toBe(status);
  // A sentence is said once.
  const sentences = answer.error.split('; ');
  expect(sentences).toEqual([...new Set(sentences)]);
});

test('the contract keeps its media type, unless a client asks for the other', async () => {
  const typeOf = async (path: string, accept?: string) =>
    (await player.api(path, { headers: accept ? { accept } : {} })).headers.get('content-type')!.split(';')[0];
  const problem = 'application/problem+json';
  expect(await typeOf(`${BOARD}?limit=0`)).toBe('application/json');
  expect(await typeOf(`${BOARD}?limit=0`, 'application/json')).toBe('application/json');
  expect(await typeOf(`${BOARD}?limit=0`, problem)).toBe(problem);
  expect(await typeOf(`${STATS}?userId=7`, `${problem}, application/json;q=0.5`)).toBe(problem);
  expect(await typeOf(`${GAMES}/none`)).toBe(problem);
});

test('a bad day is said once in GraphQL too', async () => {
  const { errors } = await player.graphql('{ challenge(day: "2026-02-30") { players } }');
  expect(errors?.[0]?.message).toBe('day must be a UTC day such as 2026-11-22');
});
