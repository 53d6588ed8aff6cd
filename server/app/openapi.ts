import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { z } from 'zod';
import { SCOPES } from '../auth/sessions/scopes.js';
import { NeedsScope } from '../auth/sessions/signed-in.guard.js';
import { type Code, CODES } from '../web/answers/codes.js';
import { PROBLEM_JSON } from '../web/answers/answer-problem.js';
import { DescribedAs, type Operation, TAGS } from '../web/rest/operation.js';

type Json = Record<string, unknown>;

const DESCRIPTION = `Verified games against the bot, stats and the leaderboard, for programs.

Personal tokens come from the account on the page. Send one as \`Authorization: Bearer …\`. Every error has a \`code\` of a closed list,
and \`RateLimit\` tells what is left of the minute.`;

/** The refusals of every route, of those that need a token, and of those with input or a body. */
const COMMON: readonly Code[] = ['token_in_address', 'too_many_requests', 'unexpected', 'service_unavailable'];
const OF_TOKENS: readonly Code[] = [
  ...(['unauthenticated', 'token_unknown', 'token_ended', 'token_revoked', 'player_banned'] as const),
  ...(['insufficient_scope', 'token_not_accepted'] as const),
];
const OF_BODIES: readonly Code[] = ['payload_too_large', 'unsupported_media_type'];

/** The header fields of all answers. */
const HEADERS = {
  'X-Request-Id': { description: 'Finds the request in the log of the server.', schema: { type: 'string' } },
  RateLimit: { description: 'What is left, as in `"address";r=5999;t=60`.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'What a minute has, as in `"address";q=6000;w=60`.', schema: { type: 'string' } },
};

/** Makes the OpenAPI document of the routes that have a description. */
export function openApiOf(controllers: readonly Type[]): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const route of controllers.flatMap(routesOf)) {
    (paths[route.path] ??= {})[route.method] = described(route, components);
  }
  const codes = Object.entries(CODES).map(([code, [status, meaning]]) => ({
    const: code,
    description: `${status}: ${meaning}`,
  }));
  return {
    openapi: '3.1.0',
    info: { title: 'Tic-Tac-Toe', version: '1', description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1))),
    components: {
      schemas: { ...components.schemas, Problem: PROBLEM, ProblemCode: { type: 'string', oneOf: codes } },
      headers: {
        ...HEADERS,
        ETag: { description: 'Of this answer.', schema: { type: 'string' } },
        Link: {
          description: 'The address of the next page, with `rel="next"`, if there is one.',
          schema: { type: 'string' },
        },
        'Retry-After': {
          description: 'In how many seconds the same request may succeed.',
          schema: { type: 'integer' },
        },
      },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: `A personal token, or the access token of the page. Scopes: ${SCOPES.join(', ')}.`,
        },
      },
    },
  };
}

const PROBLEM = {
  type: 'object',
  required: ['error', 'code', 'status', 'type'],
  properties: {
    error: { type: 'string', description: 'What went wrong and what to do, for people.' },
    code: { $ref: '#/components/schemas/ProblemCode' },
    status: { type: 'integer' },
    type: { type: 'string', format: 'uri', description: 'Where the code is explained.' },
  },
};

interface Route {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly scope: string | undefined;
}

function routesOf(controller: Type): Route[] {
  const reflector = new Reflector();
  const handlers = controller.prototype as Record<string, Type>;
  return Object.getOwnPropertyNames(handlers).flatMap((name) => {
    const handler = handlers[name]!;
    const operation = reflector.get(DescribedAs, handler);
    if (!operation) return [];
    const [base, own] = [controller, handler].map((of) => String(Reflect.getMetadata(PATH_METADATA, of)));
    const path = `/${base}/${own}`
      .replace(/\/+/g, '/')
      .replace(/(.)\/$/, '$1')
      .replace(/:(\w+)/g, '{$1}');
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod].toLowerCase();
    return [{ path, method, operation, scope: reflector.get(NeedsScope, handler) }];
  });
}

function described({ path: address, operation, scope }: Route, components: Components): Json {
  const { id, tag, summary, description, path, query, headers, body, answer, refusals = [], isTagged } = operation;
  const parameters = Object.entries({ path, query, header: headers }).flatMap(([place, shape]) =>
    shape ? components.parametersOf(place, shape) : [],
  );
  const isOfBrowser = refusals.includes('token_not_accepted');
  const codes = new Set<Code>([
    ...(query || headers || body ? (['bad_request'] as const) : []),
    ...(scope ? OF_TOKENS : []),
    ...(body ? OF_BODIES : []),
    ...refusals,
    ...COMMON,
  ]);
  const needed =
    scope && (scope === 'any' ? 'Needs a token of any scope.' : `Needs a token with the scope \`${scope}\`.`);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, needed].filter(Boolean).join(' ') || undefined,
    security: scope || isOfBrowser ? [{ token: [] }] : [],
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: body && { required: true, content: { 'application/json': { schema: components.of(body, 'input') } } },
    responses: {
      200: {
        description: 'The answer.',
        headers: Object.fromEntries(
          [...Object.keys(HEADERS), ...(isTagged ? ['ETag'] : []), ...(query?.shape.cursor ? ['Link'] : [])].map(
            (name) => [name, { $ref: `#/components/headers/${name}` }],
          ),
        ),
        content: { 'application/json': { schema: components.of(answer, 'output') } },
      },
      ...(isTagged && { 304: { description: 'The client has the newest answer.' } }),
      ...refusalsOf(address, codes),
    },
  };
}

const RETRY = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };

/** The refusals by status, each with its codes. */
function refusalsOf(path: string, codes: ReadonlySet<Code>): Json {
  const statuses = [...new Set([...codes].map((code) => CODES[code][0]))];
  return Object.fromEntries(
    statuses.map((status) => {
      const of = [...codes].filter((code) => CODES[code][0] === status);
      const schema = {
        allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: of } } }],
      };
      const type = PROBLEM_JSON.test(path) ? 'application/problem+json' : 'application/json';
      return [
        status,
        {
          description: of.map((code) => CODES[code][1]).join(' '),
          content: { [type]: { schema } },
          headers: status === 429 || status === 503 ? RETRY : undefined,
        },
      ];
    }),
  );
}

/** The shapes of the document. One with an id is shown once. */
class Components {
  readonly schemas: Json = {};

  of(shape: z.ZodType, io: 'input' | 'output'): Json {
    const { $defs = {}, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any', override });
    delete schema.$schema;
    Object.assign(this.schemas, withRefs($defs as Json));
    return withRefs(schema);
  }

  parametersOf(place: string, shape: z.ZodObject): Json[] {
    const { properties = {}, required = [] } = this.of(shape, 'input') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: place,
      required: required.includes(name),
      description,
      schema,
    }));
  }
}

const withRefs = (schema: Json) =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;

/** A time is text in JSON. What a text is parsed to says its form (`shownAs`). Answers may get more fields. The rest is noise. */
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void {
  if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  if (zodSchema._zod.def.type === 'object') delete jsonSchema.additionalProperties;
  if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const { shownAs } = jsonSchema;
  if (!shownAs) return;
  for (const key of Object.keys(jsonSchema)) if (key !== 'description') delete jsonSchema[key];
  Object.assign(jsonSchema, shownAs);
}
