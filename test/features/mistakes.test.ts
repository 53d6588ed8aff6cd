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
const BOARD = '/api/leaderboard';
const OTHER = '7d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e';
const DIFFICULTIES = 'difficulty must be one of: easy, medium, hard';
const DESCRIBED = 'as { me { id } } at /graphql tells it';

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
  ['no token', STATS, by(() => ''), 401, 'unauthenticated', 'Sign in first.'],
  ['a token without Bearer', STATS, by(() => reader), 401, 'unauthenticated', 'the word Bearer, a space and a token'],
  ['another scheme', STATS, by(() => `Basic ${reader}`), 401, 'unauthenticated', 'the word Bearer'],
  ['two tokens', STATS, by(() => `Bearer ${reader} ${reader}`), 401, 'unauthenticated', 'the word Bearer'],
  ['a garbled access token', STATS, by(() => 'Bearer abc'), 401, 'unauthenticated', 'not valid or has expired'],
  ['a cut token', STATS, by(() => `Bearer ${reader.slice(0, -1)}`), 401, 'token_unknown', 'Check that it is complete'],
  ['a mistyped token', STATS, by(() => `Bearer ${reader}0`), 401, 'token_unknown', 'not a token of this server'],
  [
    'a token in the address',
    `${STATS}?token=TOKEN`,
    get,
    400,
    'token_in_address',
    'Send tokens in the header Authorization',
  ],
  [
    'a token without the scope',
    STATS,
    by(() => `Bearer ${reader}`),
    403,
    'insufficient_scope',
    'the scope stats:read. Yours has: games:read.',
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
    'UTF-16',
    STATS,
    () => post({}, { 'content-type': 'application/json; charset="utf-16"' }),
    415,
    'unsupported_media_type',
    'JSON in UTF-8',
  ],
  [
    'a body that is not UTF-8',
    STATS,
    () => ({ ...post(''), body: Buffer.from('{"userId":"\xff"}', 'latin1') }),
    415,
    'unsupported_media_type',
    'JSON in UTF-8',
  ],
  [
    'a compressed body',
    STATS,
    () => post({}, { 'content-encoding': 'gzip' }),
    415,
    'unsupported_media_type',
    'without compression',
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
    STATS,
    report({}, { 'idempotency-key': 'a b' }),
    400,
    'bad_request',
    'Idempotency-Key must be',
  ],
  [
    'a deletion',
    BOARD,
    () => ({ method: 'DELETE' }),
    405,
    'method_not_allowed',
    'This address answers GET, HEAD only.',
  ],
  ['a limit of 0', `${BOARD}?limit=0`, get, 400, 'bad_request', 'limit must be a whole number from 1 to 100'],
  ['another address', '/api/nothing', get, 404, 'not_found', 'There is nothing at this address.'],
];

test.each(MISTAKES)('%s says what to do', async (_what, path, init, status, code, sentence) => {
  const given = init();
  const visitor = 'authorization' in (given.headers ?? {}) ? new Visitor(server) : player;
  const response = await visitor.api(path.replace('TOKEN', reader), given);
  const answer = (await response.json()) as { error: string; code: string };
  expect([answer.error.includes(sentence) || answer.error, answer]).toEqual([true, { error: answer.error, code }]);
  expect(response.status).toBe(status);
  // A sentence is said once.
  const sentences = answer.error.split('; ');
  expect(sentences).toEqual([...new Set(sentences)]);
});

test.each(['utf8', 'UTF-8', '"utf-8"', 'Utf8', ' "UTF8" ; version=1'])(
  'JSON of the charset %s is read',
  async (charset) => {
    const type = { 'content-type': `application/json; charset=${charset}` };
    const response = await player.api('/graphql', post({ query: '{ me { name } }' }, type));
    expect(await response.json()).toMatchObject({ data: { me: { name: expect.any(String) } } });
  },
);

test('a bad day is said once in GraphQL', async () => {
  const { errors } = await player.graphql('{ challenge(day: "2026-02-30") { players } }');
  expect(errors?.[0]?.message).toBe('day must be a UTC day such as 2026-11-22');
});
