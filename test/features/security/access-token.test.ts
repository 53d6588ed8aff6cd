import { createPrivateKey, createPublicKey, generateKeyPairSync, hkdfSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, exportJWK } from 'jose';
import { type JSONWebKeySet, type JWTPayload, type JWTHeaderParameters, SignJWT } from 'jose';
import { aReadyWin, finishGame, startGame } from '../../support/play.js';
import { aServer, SHARED_SECRET } from '../../support/server.js';
import { aSignedInVisitor, type SignedInUser, Visitor } from '../../support/visitor.js';

const server = aServer();
let player: Visitor & { user: SignedInUser; accessToken: string };
/** The header and claims of a genuine token. */
let header: JWTHeaderParameters;
let claims: JWTPayload;
beforeAll(async () => {
  await server.stopClock();
  player = await aSignedInVisitor(server);
  header = decodeProtectedHeader(player.accessToken) as JWTHeaderParameters;
  claims = decodeJwt(player.accessToken);
});

const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
const signatureOf = (token: string) => token.split('.')[2]!;
const own = generateKeyPairSync('ed25519');

const sign = (overrides: JWTPayload, key = trueKey(), headers: object = {}) =>
  new SignJWT({ ...claims, ...overrides }).setProtectedHeader({ ...header, ...headers }).sign(key);

/** The server's own key, derived as the server does. A token that it signs has only the error that a test puts there. */
function trueKey() {
  const seed = Buffer.from(hkdfSync('sha256', SHARED_SECRET, '', 'tic-tac-toe access-token 1', 32));
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** Says whether GraphQL and REST accept this token. They must agree. */
async function opens(token: string): Promise<boolean> {
  const thief = Object.assign(new Visitor(server), { accessToken: token });
  const rest = await thief.api(`/api/player/stats?userId=${player.user.id}`);
  const graphql = await thief.isSignedIn();
  expect([200, 401]).toContain(rest.status);
  expect(graphql).toBe(rest.status === 200);
  return graphql;
}

describe('Access token', () => {
  test('is a JWT of the server that lives ten minutes', async () => {
    expect(header).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) });
    expect(claims).toEqual({
      iss: server.origin,
      aud: `${server.origin}/graphql`,
      sub: player.user.id,
      sid: expect.any(String),
      iat: expect.any(Number),
      exp: claims.iat! + 600,
    });
    expect(await opens(player.accessToken)).toBe(true);
    // This shows that the forgeries below fail for their content, not for how they are made.
    expect(await opens(await sign({}))).toBe(true);
  });

  test('has its public key, and no private one, at /.well-known/jwks.json', async () => {
    const response = await fetch(`${server.origin}/.well-known/jwks.json`);
    const { keys } = (await response.json()) as JSONWebKeySet;
    expect(keys).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: header.kid, alg: 'EdDSA', use: 'sig' },
    ]);
  });

  test.each(['none', 'None', 'NONE', 'nOnE', ''])('is rejected with alg:%s', async (alg) => {
    for (const signature of ['', 'AA', signatureOf(player.accessToken)]) {
      expect(await opens(`${encoded({ ...header, alg })}.${encoded(claims)}.${signature}`)).toBe(false);
    }
  });

  test('is rejected with HS256 and the public key as the secret, in each encoding', async () => {
    const key = createPublicKey(trueKey());
    const jwk = key.export({ format: 'jwk' });
    const pem = key.export({ format: 'pem', type: 'spki' });
    const spellings = [
      Buffer.from(jwk.x!, 'base64url'),
      Buffer.from(jwk.x!),
      key.export({ format: 'der', type: 'spki' }),
      Buffer.from(pem),
      Buffer.from(String(pem).trim()),
      Buffer.from(JSON.stringify(jwk)),
    ];
    for (const secret of spellings) {
      const forged = await new SignJWT(claims)
        .setProtectedHeader({ ...header, alg: 'HS256' })
        .sign(new Uint8Array(secret));
      expect(await opens(forged)).toBe(false);
    }
  });

  test('is rejected with another key, under the genuine kid or in a jwk header', async () => {
    const jwk = await exportJWK(own.publicKey);
    const kid = await calculateJwkThumbprint(jwk);
    for (const headers of [{}, { jwk, kid }, { jwk }, { jwk, kid: undefined }]) {
      expect(await opens(await sign({}, own.privateKey, headers))).toBe(false);
    }
  });

  test('is rejected with jku and x5u headers, and the server does not fetch them', async () => {
    const asked: string[] = [];
    const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'EdDSA', use: 'sig' };
    const elsewhere = createServer((request, response) => {
      asked.push(request.url!);
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
    });
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/keys`;
    const opened: boolean[] = [];
    for (const headers of [{ jku: url, kid: 'own' }, { jku: url }, { x5u: url, kid: 'own' }]) {
      opened.push(await opens(await sign({}, own.privateKey, headers)));
    }
    elsewhere.closeAllConnections();
    elsewhere.close();
    expect({ opened, asked }).toEqual({ opened: [false, false, false], asked: [] });
  });

  test.each(['__proto__', '../../../dev/null', '', "' OR 1=1", null, 0])('is rejected with the kid %j', async (kid) => {
    const forged = `${encoded({ ...header, kid })}.${encoded(claims)}`;
    expect(await opens(`${forged}.${signatureOf(player.accessToken)}`)).toBe(false);
  });

  test.each<[string, () => JWTPayload, object?]>([
    ['wrong aud', () => ({ aud: 'https://other.example/graphql' })],
    ['aud of the origin alone', () => ({ aud: server.origin })],
    ['no aud', () => ({ aud: undefined })],
    ['wrong iss', () => ({ iss: 'https://evil.example' })],
    ['no iss', () => ({ iss: undefined })],
    ['wrong typ', () => ({}), { typ: 'JWT' }],
    ['no typ', () => ({}), { typ: undefined }],
    ['no exp', () => ({ exp: undefined })],
    ['no sub', () => ({ sub: undefined })],
    ['no sid', () => ({ sid: undefined })],
    ['sub and sid of different players', () => ({ sub: randomUUID() })],
    ['a session that never was', () => ({ sid: randomUUID() })],
    ['an unknown crit header', () => ({}), { crit: ['x'], x: 1 }],
  ])('is rejected with the genuine signature but %s', async (_what, change, headers = {}) => {
    const { crit, ...rest } = headers as { crit?: string[] };
    const forged = crit
      ? await new SignJWT(claims)
          .setProtectedHeader({ ...header, ...rest, crit })
          .sign(trueKey(), { crit: { x: true } })
      : await sign(change(), trueKey(), headers);
    expect(await opens(forged)).toBe(false);
  });

  test('is not a ticket or a refresh token', async () => {
    const [ticket, cookie] = [await startGame(player, 'easy'), await player.sessionCookie()];
    for (const token of [ticket.token, cookie.split('=')[1]!]) expect(await opens(token)).toBe(false);
  });

  test('is rejected when it is cut, doubled or extended', async () => {
    const token = player.accessToken;
    for (const forged of ['', '..', token.slice(0, -1), `${token}A`, `${token}.`, `${token}.${token}`, `${token}=`]) {
      expect(await opens(forged)).toBe(false);
    }
  });
});

describe('A token whose session has ended', () => {
  const ENDED = { error: 'This session has ended. Sign in again.' };

  test('is 401 in REST, whatever else is wrong in a request whose body can be read', async () => {
    const other = await aSignedInVisitor(server);
    const gone = await aSignedInVisitor(server);
    await gone.signOut();
    const report = { userId: gone.user.id, result: 'win', difficulty: 'easy' };
    const path = '/api/player/stats';
    const bodies = [
      '{}',
      JSON.stringify({ ...report, result: 'x' }),
      JSON.stringify({ ...report, userId: other.user.id }),
    ];
    const headers = { 'content-type': 'application/json' };
    const sent: [string, RequestInit?][] = [
      ...[`?userId=${gone.user.id}`, `?userId=${other.user.id}`, ''].map((query): [string] => [path + query]),
      ...bodies.map((body): [string, RequestInit] => [path, { method: 'POST', headers, body }]),
      [path, { method: 'POST', headers: { ...headers, 'idempotency-key': ' a b' }, body: '{}' }],
    ];
    for (const [address, init] of sent) {
      const response = await gone.api(address, init);
      const said = [response.status, response.headers.get('www-authenticate')];
      expect([address, init?.body, ...said]).toEqual([address, init?.body, 401, 'Bearer error="invalid_token"']);
      expect(await response.json()).toMatchObject(ENDED);
    }
    // A valid report is refused by the statement that counts it.
    expect((await gone.postJson(path, report)).status).toBe(401);
  });

  test('is UNAUTHENTICATED in GraphQL, whatever else is wrong, and counts no game', async () => {
    const gone = await aSignedInVisitor(server);
    const { ticket, squares } = await aReadyWin(server, gone);
    const foreign = await startGame(player, 'easy');
    await gone.signOut();
    const answers = [
      await finishGame(gone, ticket.token, squares),
      await finishGame(gone, ticket.token, squares.slice(0, 1)),
      await finishGame(gone, ticket.token, [99]),
      await finishGame(gone, foreign.token, squares),
      await finishGame(gone, 'no ticket', squares),
      await gone.graphql('mutation ($s: [Int!]!) { finishGame(ticket: "", squares: $s) { __typename } }', { s: 'x' }),
      await gone.graphql('mutation { finishGame(ticket: 7) { __typename } }'),
      await gone.graphql('mutation { startGame(difficulty: expert) { token } }'),
      await gone.graphql('mutation { endSession(id: "x") { id } }'),
      await gone.graphql('{ me { games(first: 999) { edges { node { id } } } } }'),
      await gone.graphql('{ me { nothing } }'),
      await gone.graphql(`{ ${'me { id } '.repeat(20)} }`),
      await gone.graphql('{ me '),
    ];
    await server.moveClock(-5_000);
    for (const { data, errors } of answers) {
      expect(data ?? null).toBeNull();
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
    }
    expect((await gone.graphql('{ leaderboard { name } }')).errors).toBeUndefined();
  });
});
