import { beforeAll, describe, expect, test } from '@jest/globals';
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { confirmLink, postLink } from '../../support/link.js';
import * as signIns from '../../support/providerSignIn.js';
import { type Handler, ProviderStandIn } from '../../support/providerStandIn.js';
import { linesDuring, logged, type Server } from '../../support/server.js';
import { ttt, tttWith } from '../../support/ttt.js';
import { behind, dataOf, Visitor } from '../../support/visitor.js';

const { comeBack, errorOf } = signIns;
const SCHOOL = 'https://203.0.113.5';
/** Ends with a slash, as that of Authentik. The doctor asks others. */
const PATH = '/o/school/';
const OIDC = { OIDC_CLIENT_ID: 'google-client', OIDC_CLIENT_SECRET: 'google-secret', OIDC_NAME: 'School' };
const OTHERS = { OIDC_PICTURE_HOSTS: '*.school.example', MODERATORS: 'oidc:Mod|1', TRUST_PROXY: '1' };
const ADDRESS = { email: 'ada@example.org', email_verified: true };
const provider = new ProviderStandIn();
let server: Server;
let issuer: string;
signIns.useProviderStandIn(provider, (it) => (server = it), { ...OIDC, ...OTHERS, OIDC_ISSUER: SCHOOL + PATH });
beforeAll(async () => {
  announce();
  await press();
});

/** From now on the provider says this of itself. Its keys and tokens are those of the stand-in's Google. */
function announce(more: object = {}, path = PATH, origin = SCHOOL): string {
  issuer = origin + path;
  const document = `${origin === SCHOOL ? '/203.0.113.5' : ''}${path.replace(/\/$/, '')}/.well-known/openid-configuration`;
  provider.json(document, {
    issuer,
    authorization_endpoint: `${SCHOOL}/authorize`,
    token_endpoint: 'https://oauth2.googleapis.com/token',
    jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
    id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'],
    ...more,
  });
  return document;
}

let visitors = 0;
/** Each visitor has a network of its own, so that the log has a line for each. */
const press = (at: 'oidc' | 'google' = 'oidc') =>
  signIns.begin(server, at, behind(new Visitor(server), `198.51.100.${++visitors}`));
type Sign = (claims: JWTPayload) => Promise<string> | string;

/** The provider answers with this ID token, and the browser comes back. */
async function end(begun: signIns.StartedSignIn, others: JWTPayload = {}, sign: Sign = good) {
  const at = begun.asked.host === 'accounts.google.com' ? 'google' : 'oidc';
  const iss = at === 'oidc' ? issuer : begun.asked.origin;
  const exp = Math.floor(Date.now() / 1000) + 30_000;
  signIns.googleAnswers(provider, await sign(signIns.claimsFor(begun, { iss, exp, email: undefined, ...others })));
  return comeBack(begun, at, { iss });
}

async function signIn(claims?: JWTPayload, sign?: Sign) {
  const begun = await press();
  await signIns.finish(begun, await end(begun, claims, sign));
  return Object.assign(begun.visitor, { user: begun.visitor.user! });
}

/** Expects that the player hears of it, and the operator in one line. */
async function expectRefused(work: () => Promise<URL>, reason: RegExp, code = /sign_in_failed|provider_unavailable/) {
  let back: URL | undefined;
  const lines = await linesDuring(server, async () => void (back = await work()));
  expect(errorOf(back!)).toMatch(code);
  expect(lines.filter((line) => /"providerName":"(School|Google)"/.test(line) && reason.test(line))).toHaveLength(1);
}
const expectDown = (reason: RegExp) => expectRefused(async () => (await press()).asked, reason, /provider_unavailable/);
const says = (...[status, headers, body]: [number, Record<string, string>, string?]): Handler => {
  return (_request, response) => response.writeHead(status, headers).end(body);
};
const slowly: Handler = (_, response) => void setInterval(() => response.destroyed || response.write(' '), 1e3).unref();

test.each<[string, object | Handler, RegExp]>([
  ['another issuer', { issuer: `${SCHOOL}/other` }, /issuer/],
  ['a slash less at its end', { issuer: `${SCHOOL}/o/school` }, /issuer/],
  ['a slash more at its end', { issuer: `${SCHOOL}${PATH}/` }, /issuer/],
  ['a capital letter', { issuer: `H${SCHOOL.slice(1)}${PATH}` }, /issuer/],
  ['an endpoint on http', { token_endpoint: 'http://203.0.113.5/token' }, /token_endpoint: is not on https/],
  ['a script', { authorization_endpoint: 'javascript:alert(1)' }, /authorization_endpoint/],
  ['an address of IPv4', { jwks_uri: 'https://10.0.0.1/jwks' }, /jwks_uri: is at a private address/],
  ['an address of IPv6', { userinfo_endpoint: 'https://[fd00::1]/' }, /userinfo_endpoint: is at a private address/],
  ['the address of nothing', { token_endpoint: 'https://[::]/' }, /token_endpoint: is at a private address/],
  ['a name here', { token_endpoint: 'https://localhost/' }, /token_endpoint: is at a private address/],
  ['a page', says(200, { 'content-type': 'text/html' }, '<p>'), /content-type/],
  ['a redirect', says(302, { location: `${SCHOOL}/school` }, ''), /status 302/],
  ['ten megabytes', says(200, {}, ' '.repeat(10_000_000)), /answer too long/],
  ['a byte a second', slowly, /timeout/],
])('a document with %s is refused, and the next press finds a better one', async (_what, wrong, reason) => {
  await server.moveClock(61_000);
  if (typeof wrong === 'function') provider.handlers.set(announce(), wrong as Handler);
  else announce(wrong);
  issuer = SCHOOL + PATH;
  await expectDown(reason);
  announce();
  expect((await press()).asked.origin).toBe(SCHOOL);
});

const curve = await generateKeyPair('ES256');
const good: Sign = (claims) => provider.idToken(claims);
const rows: [string, JWTPayload, Sign?][] = [
  ['no content', {}, () => ''],
  ['alg none', {}, (all) => new UnsecuredJWT(all).encode()],
  ['HS256', {}, (all) => new SignJWT(all).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('google-secret'))],
  ['an alg not announced', {}, (all) => provider.idToken(all, { alg: 'ES256', kid: 'curve', key: curve.privateKey })],
  ['no signature', {}, async (all) => (await good(all)).replace(/[^.]*$/, '')],
  ['another signature', {}, async (all) => (await good(all)).replace(/.{9}$/, '_'.repeat(9))],
  ['an unknown key', {}, (all) => provider.idToken(all, { kid: 'unknown' })],
  ['another iss', { iss: 'https://evil.example' }],
  ['another aud', { aud: 'other' }],
  ['several aud and no azp', { aud: ['google-client', 'other'] }],
  ['the azp of another', { aud: ['google-client', 'other'], azp: 'other' }],
  ['an old exp', { exp: 1 }],
  ['no exp', { exp: undefined }],
  ['no iat', { iat: undefined }],
  ['the iat of tomorrow', { iat: Math.floor(Date.now() / 1000) + 90_000 }],
  ['another nonce', { nonce: 'other' }],
  ['no nonce', { nonce: undefined }],
  ['no sub', { sub: undefined }],
  ['an empty sub', { sub: '' }],
  ['a number as sub', { sub: 7 as unknown as string }],
  ['a sub of 256 characters', { sub: 'a'.repeat(256) }],
];
describe.each(['oidc', 'google'] as const)('an ID token of %s is refused', (at) => {
  test.each(rows.map(([what, claims, sign = good]) => [what, claims, sign] as const))(
    'with %s',
    async (_what, claims, sign) => {
      await provider.publish('curve', 'ES256', curve.publicKey);
      await expectRefused(async () => end(await press(at), claims, sign), /"reason":"(OAUTH|subject|issued)_\w+"/);
    },
  );
});

test('the callback is for answers of the provider alone, which names itself where it promises to', async () => {
  expect(errorOf(await comeBack(await press(), 'google'))).toBe('sign_in_expired');
  expect(errorOf(await comeBack(await signIns.begin(server, 'google'), 'oidc'))).toBe('sign_in_expired');
  await server.moveClock(61_000);
  announce({ authorization_response_iss_parameter_supported: true });
  for (const iss of [{}, { iss: SCHOOL }] as Record<string, string>[])
    await expectRefused(async () => comeBack(await press(), 'oidc', iss), /OAUTH_INVALID_RESPONSE/);
});

test('new keys are fetched at most once a minute, also for a sign-in that goes on', async () => {
  const asked = () => provider.requests.filter(({ url }) => url.endsWith('/certs')).length;
  await signIn();
  const begun = await press();
  const before = asked();
  const { privateKey: key, ...pair } = await generateKeyPair('RS256');
  await provider.publish('turned', 'RS256', pair.publicKey);
  const sign: Sign = (claims) => provider.idToken(claims, { alg: 'RS256', kid: 'turned', key });
  for (let n = 0; n < 3; n++) expect(errorOf(await end(await press(), {}, sign))).toBe('sign_in_failed');
  expect(asked()).toBe(before);
  await server.moveClock(61_000);
  await signIns.finish(begun, await end(begun, {}, sign));
  expect(asked()).toBe(before + 1);
});

test('while the provider is down, the server starts and others work, and a sign-in that waits goes on later', async () => {
  const waiting = await press();
  provider.json(announce(), {}, 500);
  const from = server.log().length;
  await server.restart();
  // The server has tried it at its start, too.
  await logged({ log: () => server.log().slice(from) }, 'discovery_failed');
  await expectDown(/"discovery_failed".*status 500/);
  expect((await signIns.begin(server, 'google')).asked.host).toBe('accounts.google.com');
  announce();
  await signIns.finish(waiting, await end(waiting));
  await server.moveClock(3_600_000);
  provider.json(announce(), {}, 500);
  await expectDown(/"discovery_failed".*status 500/);
  announce();
  await signIn();
});

test('a player is the subject at the issuer, whatever the address, and has what players of Google have', async () => {
  const { user: other } = await signIns.signInAtGithub(server);
  expect((await signIn({ ...ADDRESS, email_verified: 'true' })).user.email).toBeNull();
  const player = await signIn({ sub: 'Mod|1', ...ADDRESS });
  expect(player.user).toMatchObject({ email: other.email, id: expect.not.stringMatching(other.id) });
  signIns.githubAnswers(provider, { id: 4711 });
  const { location } = (await (await postLink(player, 'github')).json()) as { location: string };
  const linked = await comeBack({ visitor: player, asked: new URL(location) }, 'github');
  await confirmLink(player, linked.searchParams.get('link')!);
  const school = { provider: 'unknown', providerName: 'School' };
  const github = { provider: 'github', providerName: 'GitHub' };
  const known = await player.graphql('{ me { isModerator } myIdentities { provider providerName } }');
  expect(dataOf(known)).toEqual({ me: { isModerator: true }, myIdentities: [school, github] });
  expect(await (await player.api('/api/account/export')).json()).toMatchObject({ identities: [school, github] });
  await ttt(server, 'player', 'hide', player.user.id, '--reason', 'Rude');
  const left = await player.graphql('mutation { unlinkIdentity(provider: unknown) { providerName } }');
  expect(dataOf(left)).toEqual({ unlinkIdentity: [{ providerName: 'GitHub' }] });
  expect((await linesDuring(server, () => signIn({ sub: 'Mod|1' }))).join()).toContain('"decision_followed"');
  const next = await signIn({ sub: 'Mod|1' });
  expect(dataOf(await next.graphql('mutation { deleteAccount }'))).toEqual({ deleteAccount: true });
  expect((await signIn({ sub: 'Mod|1' })).user.id).not.toBe(next.user.id);
  await server.moveClock(11 * 60_000);
  await player.renew();
  expect((await postLink(player, 'oidc')).status).toBe(403);
});

const CLIENT = OIDC.OIDC_CLIENT_ID;
const POST = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
const ISS = { authorization_response_iss_parameter_supported: true };
const INFO = { userinfo_endpoint: `${SCHOOL}/userinfo` };
const picture = 'https://a.school.example/1';
const unproven = { email: 'a@b.example', email_verified: undefined };
const upn = { name: undefined, preferred_username: 'ada.l@b.example', ...unproven };

test.each<[string, string, object, JWTPayload, object]>([
  ['Keycloak', 'PS256', ISS, { azp: CLIENT, at_hash: 'x', ...ADDRESS }, { email: ADDRESS.email }],
  ['Authentik', 'ES256', POST, { ...unproven, picture }, { email: null, picture }],
  ['Zitadel', 'RS256', INFO, { aud: [CLIENT, '7'], azp: CLIENT, name: undefined }, { name: 'Ada Z' }],
  ['Entra', 'RS256', {}, upn, { name: 'ada.l', email: null, picture: expect.stringContaining('/avatar/') }],
])('a player signs in with the answers of %s', async (kid, alg, document, claims, user) => {
  const { privateKey: key, publicKey } = await generateKeyPair(alg);
  await provider.publish(kid, alg, publicKey);
  provider.json('/203.0.113.5/userinfo', { sub: '1001', name: 'Ada Z' });
  announce({ id_token_signing_alg_values_supported: ['HS256', alg], ...document });
  // The document is read again after an hour.
  await server.moveClock(3_600_000);
  const player = await signIn(claims, (all) => provider.idToken(all, { kid, alg, key }));
  expect(player.user).toMatchObject({ provider: 'unknown', ...user });
  const { headers, body } = provider.requests.findLast(({ url }) => url.endsWith('/token'))!;
  expect([headers.authorization, body.get('client_secret')].filter(Boolean)).toHaveLength(1);
});

test('the doctor says whether the provider answers, as the issuer that it is, and at which time', async () => {
  const settings = { ...OIDC, DATABASE_URL: server.databaseUrl!, AUTH_SECRET: '0f9c2b7d4e6a81350f9c2b7d4e6a8135' };
  const doctor = async () => (await tttWith({ ...settings, OIDC_ISSUER: issuer }, 'doctor')).said;
  for (const path of ['', '/local']) {
    announce({}, path, `http://${provider.requests[0]!.headers.host}`);
    // The header has whole seconds.
    expect(await doctor()).toMatch(/School answers, and its clock differs by -?\d s/);
  }
  provider.handlers.set('/local', says(404, { date: new Date(0).toUTCString() }, ''));
  expect(await doctor()).toMatch(/differs by -\d+ s\n.*NTP/);
  issuer = `${issuer}/other`;
  expect(await doctor()).toContain('School: unexpected HTTP response status code');
});
