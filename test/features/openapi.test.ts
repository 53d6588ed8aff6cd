import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { playGame } from '../support/play.js';
import { type Server, sharedServer, waitOn } from '../support/server.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

type Json = Record<string, unknown>;
interface Operation {
  operationId: string;
  description?: string;
  security: object[];
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}

const root = new URL('../../', import.meta.url);
const committed = JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8')) as Document;
const operations = Object.entries(committed.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const named = operations.map((of) => [of.operation.operationId, of] as const);

let server: Server;
let player: Awaited<ReturnType<typeof aSignedInVisitor>>;
let program: Visitor;
let game: string;
let ticket: { id: string; ticket: string };
const squares: number[] = [];
beforeAll(async () => {
  server = await sharedServer();
  player = await aSignedInVisitor(server);
  const { data } = await player.graphql<{ createToken: { secret: string } }>(
    'mutation { createToken(name: "Client", scopes: [account_read, games_read, games_write, stats_read]) { secret } }',
  );
  program = Object.assign(new Visitor(server), { accessToken: data!.createToken.secret });
  await playGame(server, player, { result: 'win' });
  const games = await player.graphql<{ myGames: { id: string }[] }>('{ myGames { id } }');
  game = games.data!.myGames[0]!.id;
  ticket = (await (await program.postJson('/api/games', { difficulty: 'easy' })).json()) as typeof ticket;
  for (let result = null; result === null;) {
    const moved = await program.postJson(`/api/games/${ticket.id}/moves`, { ticket: ticket.ticket, squares });
    const { moves, ...answer } = (await moved.json()) as { moves: number[]; result: null };
    result = answer.result;
    if (result === null) squares.push([0, 1, 2, 3, 4, 5, 6, 7, 8].find((square) => !moves.includes(square))!);
  }
});
const wait = waitOn(() => server);
afterAll(() => server.remove());

/** A good request of each operation and a bad one. */
interface Requests {
  readonly before?: () => Promise<void>;
  readonly path?: () => string;
  readonly body?: () => object;
  /** A health check cannot be asked wrongly. */
  readonly bad?: { readonly path?: () => string; readonly body?: () => object; readonly status: number };
}
const REQUESTS: Record<string, Requests> = {
  readMe: { bad: { path: () => '/api/me/x', status: 404 } },
  readStats: {
    path: () => `/api/player/stats?userId=${player.user.id}`,
    bad: { path: () => '/api/player/stats?userId=7', status: 400 },
  },
  reportResult: {
    body: () => ({ userId: player.user.id, result: 'win', difficulty: 'easy' }),
    bad: { body: () => ({ userId: player.user.id, result: 'won' }), status: 400 },
  },
  startGame: { body: () => ({ difficulty: 'hard' }), bad: { body: () => ({ difficulty: 'expert' }), status: 400 } },
  playBotMove: {
    path: () => `/api/games/${ticket.id}/moves`,
    body: () => ({ ticket: ticket.ticket, squares: [4] }),
    bad: { body: () => ({ ticket: ticket.ticket, squares: [4, 4] }), status: 422 },
  },
  finishGame: {
    // A game takes its time.
    before: () => wait(10_000),
    path: () => `/api/games/${ticket.id}/finish`,
    body: () => ({ ticket: ticket.ticket, squares }),
    bad: { body: () => ({ ticket: 'forged', squares: [0] }), status: 422 },
  },
  readGame: { path: () => `/api/games/${game}`, bad: { path: () => '/api/games/none', status: 404 } },
  readPlayer: { path: () => `/api/players/${player.user.id}`, bad: { path: () => '/api/players/x', status: 404 } },
  readPlayerGames: {
    path: () => `/api/players/${player.user.id}/games?limit=1`,
    bad: { path: () => `/api/players/${player.user.id}/games?cursor=x`, status: 400 },
  },
  readLeaderboard: {
    path: () => '/api/leaderboard?limit=5',
    bad: { path: () => '/api/leaderboard?cursor=x', status: 400 },
  },
  readChallenge: {
    path: () => '/api/challenges/2026-01-01',
    bad: { path: () => '/api/challenges/2026-01-01?limit=0', status: 400 },
  },
  exportAccount: { bad: { path: () => '/api/account/export/x', status: 404 } },
  readLive: {},
  readReady: {},
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ ...asStrict(committed), $id: 'openapi' });

/** Answers may get more fields later; today's are all in the document. */
function asStrict(value: unknown): Json {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) => {
      const { type, properties = {} } = (part ?? {}) as Json;
      const isShape = type === 'object' && Object.keys(properties as Json).length > 0;
      return isShape ? { additionalProperties: false, ...(part as Json) } : part;
    }).replaceAll('"#/components/', '"openapi#/components/'),
  ) as Json;
}

/** Sends a request, and checks that its answer is the document's. */
async function answered(
  { method, path, operation }: (typeof operations)[number],
  { by, address = path, body }: { by: Visitor; address?: string; body?: object },
) {
  const response = await by.api(address, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const { status } = response;
  const answer = (await response.json()) as Json;
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  const schema = operation.responses[status]?.content?.[type]?.schema;
  // An address that no operation has is described by none.
  if (schema && address !== `${path}/x`) {
    const isValid = ajv.validate(asStrict(schema), answer);
    expect([answer, isValid ? [] : ajv.errors]).toEqual([answer, []]);
  }
  return { status, isDocumented: schema !== undefined, answer };
}

describe('the document', () => {
  test('is the one that the server answers', async () => {
    const response = await fetch(`${server.origin}/openapi.json`);
    expect(await response.json()).toEqual(committed);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('has every route under /api', () => {
    const files = readdirSync(new URL('server', root), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.controller.ts'))
      .map((file) => readFileSync(new URL(`server/${file}`, root), 'utf8'))
      .filter((source) => /@Controller\((ADDRESS|'api\/)/.test(source));
    const routes = files.flatMap((source) => [...source.matchAll(/^ {2}@(Get|Post)\(/gm)]);
    expect(operations.filter(({ path }) => path.startsWith('/api/'))).toHaveLength(routes.length);
  });

  test('names the scope that a route needs, and has valid examples', () => {
    for (const { operation, path } of operations) {
      if (operation.security.length > 0)
        expect([path, operation.description]).toEqual([
          path,
          expect.stringMatching(/Needs (a token|the access token of a browser)/),
        ]);
    }
    const shapes = Object.entries(committed.components.schemas).filter(
      ([, { properties = {} }]) => Object.keys(properties as Json).length > 0,
    );
    const without = shapes.filter(([, schema]) => !schema.examples).map(([name]) => name);
    // They consist of others that have some.
    expect(without.sort()).toEqual(['Challenge', 'FinishedGame', 'Player', 'PlayerGames', 'Problem']);
    for (const [name, { examples = [] }] of shapes) {
      for (const example of examples as unknown[]) {
        const isValid = ajv.validate(`openapi#/components/schemas/${name}`, example);
        expect([name, isValid, ajv.errors]).toEqual([name, true, null]);
      }
    }
  });
});

describe.each(named)('%s', (id, of) => {
  const needsToken = of.operation.security.length > 0 || id === 'exportAccount';
  const request = () => {
    const { path, body } = REQUESTS[id]!;
    return { address: path?.() ?? of.path, body: body?.() };
  };
  const by = () => (id === 'exportAccount' ? player : program);

  test('answers a good request as it says', async () => {
    await REQUESTS[id]!.before?.();
    const { status, isDocumented } = await answered(of, { ...request(), by: by() });
    expect([id, status, isDocumented]).toEqual([id, 200, true]);
  });

  test('refuses a bad request as it says', async () => {
    const { bad } = REQUESTS[id]!;
    if (!bad) return;
    const good = request();
    const address = bad.path?.() ?? good.address;
    const { status, answer, isDocumented } = await answered(of, {
      by: by(),
      address,
      body: bad.body?.() ?? good.body,
    });
    // The address with an end of its own is another one.
    const isOther = address === `${of.path}/x`;
    expect([id, status, answer.status, isDocumented]).toEqual([id, bad.status, bad.status, !isOther]);
    expect(answer.type).toBe(`${server.origin}/docs#${String(answer.code)}`);
  });

  test(needsToken ? 'needs a token' : 'needs no token', async () => {
    const { status, isDocumented } = await answered(of, { ...request(), by: new Visitor(server) });
    expect([id, status, isDocumented]).toEqual([id, needsToken ? 401 : 200, true]);
  });
});
