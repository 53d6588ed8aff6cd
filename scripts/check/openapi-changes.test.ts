import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { openApiChanges } from './openapi-changes.js';

type Json = Record<string, unknown>;
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Json;

/** The document with the value at a path changed. */
function changed(path: readonly string[], change: (value: never) => unknown): Json {
  const copy = structuredClone(document);
  const parent = path.slice(0, -1).reduce((part, key) => part[key] as Json, copy);
  const key = path.at(-1)!;
  const value = change(parent[key] as never);
  if (value === undefined) delete parent[key];
  else parent[key] = value;
  return copy;
}

const START = ['paths', '/api/games', 'post'];
const MEDIA = [...START, 'requestBody', 'content'];
const BODY = [...MEDIA, 'application/json', 'schema'];
const MOVES = ['paths', '/api/games/{id}/moves', 'post', 'requestBody', 'content', 'application/json', 'schema'];
const TICKET = [...MOVES, 'properties', 'ticket'];
const TOKEN = ['components', 'schemas', 'Me', 'properties', 'token', 'anyOf'];
const GAME = ['components', 'schemas', 'Game'];
const BOARD = ['paths', '/api/leaderboard', 'get'];
const without = (name: string) => (list: string[]) => list.filter((one) => one !== name);
const gone = () => undefined;

test.each<[string, Json, string]>([
  ['a path', changed(['paths', '/api/games'], gone), 'POST /api/games is gone'],
  ['a method', changed(START, gone), 'POST /api/games is gone'],
  ['a name', changed([...START, 'operationId'], () => 'begin'), 'POST /api/games is now begin, for generated clients'],
  ['who may ask', changed([...BOARD, 'security'], () => [{ token: [] }]), 'GET /api/leaderboard now needs a token'],
  ['a parameter', changed([...BOARD, 'parameters'], (list: object[]) => list.slice(1)), 'no longer takes limit'],
  [
    'an optional parameter',
    changed([...BOARD, 'parameters'], (list: object[]) => list.map((one) => ({ ...one, required: true }))),
    'GET /api/leaderboard now needs limit',
  ],
  [
    'what a parameter takes',
    changed([...BOARD, 'parameters'], (list: { name: string }[]) =>
      list.map((one) => (one.name === 'period' ? { ...one, schema: { type: 'string', enum: ['all'] } } : one)),
    ),
    'GET /api/leaderboard?period no longer takes week',
  ],
  [
    'the place of a parameter',
    changed([...BOARD, 'parameters'], ([first, ...rest]: [object]) => [{ ...first, in: 'header' }, ...rest]),
    'GET /api/leaderboard no longer takes limit (query)',
  ],
  [
    'a new parameter that is required',
    changed([...BOARD, 'parameters'], (list: object[]) => [...list, { in: 'query', name: 'x', required: true }]),
    'GET /api/leaderboard now needs x',
  ],
  [
    'a new body that is required',
    changed(BOARD, (board: object) => ({ ...board, requestBody: { required: true, content: {} } })),
    'GET /api/leaderboard now needs a body',
  ],
  [
    'the type of a body',
    changed(MEDIA, ({ 'application/json': json }: Json) => ({ 'text/plain': json })),
    'POST /api/games no longer takes application/json',
  ],
  [
    'the media type of an answer',
    changed([...START, 'responses', '200', 'content'], ({ 'application/json': json }: Json) => ({
      'text/plain': json,
    })),
    'POST /api/games no longer answers application/json',
  ],
  [
    'a text of a body into a list of values',
    changed(TICKET, (text: object) => ({ ...text, enum: ['only'] })),
    'POST /api/games/{id}/moves.ticket takes only only',
  ],
  [
    'a typed field into one of any type',
    changed([...GAME, 'properties', 'points', 'type'], gone),
    'GET /api/games/{id}.points may now be anything',
  ],
  [
    'a field of an answer that may be null',
    changed([...TOKEN, '0', 'properties', 'name'], gone),
    'GET /api/me.token no longer answers name',
  ],
  [
    'a refusal with its status',
    changed([...START, 'responses', '429'], gone),
    'POST /api/games no longer answers 429 with too_many_requests',
  ],
  ['a field of a body', changed([...BODY, 'properties'], () => ({})), 'POST /api/games no longer takes difficulty'],
  [
    'an optional field of a body',
    changed([...BODY, 'required'], () => ['difficulty', 'seed']),
    'POST /api/games now needs seed',
  ],
  [
    'what a field takes',
    changed([...BODY, 'properties', 'difficulty', 'enum'], without('hard')),
    'POST /api/games.difficulty no longer takes hard',
  ],
  [
    'a field of an answer, in a list and behind a reference',
    changed([...GAME, 'properties', 'points'], gone),
    'GET /api/players/{id}/games.games[] no longer answers points',
  ],
  [
    'a field that was always there',
    changed([...GAME, 'required'], without('points')),
    'GET /api/games/{id} no longer answers points each time',
  ],
  [
    'the type of a field',
    changed([...GAME, 'properties', 'points', 'type'], () => 'string'),
    'GET /api/games/{id}.points may now be string',
  ],
  [
    'a field that was never null',
    changed([...GAME, 'properties', 'points', 'type'], () => ['integer', 'null']),
    'GET /api/games/{id}.points may now be null',
  ],
  [
    'a code',
    changed([...BOARD, 'responses', '404', 'content', 'application/json', 'schema', 'allOf'], ([problem]: [object]) => [
      problem,
      { properties: { code: { enum: ['gone'] } } },
    ]),
    'GET /api/leaderboard no longer answers 404 with not_found',
  ],
])('a change of %s breaks clients', (_what, after, said) => {
  expect(openApiChanges(document, after).breaking.join('\n')).toContain(said);
});

test.each<[string, Json]>([
  ['nothing', document],
  ['an order of null', changed(TOKEN, (parts: object[]) => parts.toReversed())],
  ['a field in an answer', changed([...GAME, 'properties'], (fields: object) => ({ ...fields, board: {} }))],
  ['a path', changed(['paths'], (paths: object) => ({ ...paths, '/api/more': {} }))],
  [
    'a value that a body takes',
    changed([...BODY, 'properties', 'difficulty', 'enum'], (of: string[]) => [...of, 'more']),
  ],
])('an addition of %s breaks none', (_what, after) => {
  expect(openApiChanges(document, after)).toEqual({ breaking: [], dangerous: [] });
});

const LIVE = ['paths', '/health/live', 'get', 'responses', '200', 'content', 'application/json', 'schema'];

test.each<[string, Json, string]>([
  [
    'a new value',
    changed([...GAME, 'properties', 'source', 'enum'], (of: string[]) => [...of, 'imported']),
    'GET /api/games/{id}.source may now be imported',
  ],
  [
    'another constant',
    changed([...LIVE, 'properties', 'status', 'const'], () => 'up'),
    'GET /health/live.status may now be up',
  ],
  [
    'no list of values',
    changed([...GAME, 'properties', 'source', 'enum'], gone),
    'GET /api/games/{id}.source has no list of values any more',
  ],
])('%s in an answer is dangerous', (_what, after, said) => {
  const { breaking, dangerous } = openApiChanges(document, after);
  expect(breaking).toEqual([]);
  expect(dangerous).toContain(said);
});
