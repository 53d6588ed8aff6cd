import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { aPerson, aPlayerAt, linkCode } from '../../support/link.js';
import { startGame } from '../../support/play.js';
import { aServer, endOfLog, logged, query, waitOn } from '../../support/server.js';
import { ttt } from '../../support/ttt.js';
import {
  aSignedInVisitor,
  cookieOf,
  FROM_PAGE,
  personalTokenOf,
  pkce,
  type TokenAnswer,
  Visitor,
} from '../../support/visitor.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const server = aServer({ env: { LOG_LEVEL: 'trace' } });
const wait = waitOn(() => server);

const refreshWith = (cookie: string) => new Visitor(server).refresh(cookie);
/** The number of the exchange, which all answers to one exchange share. */
const exchangeOf = (cookie: string) => cookie.split('.').slice(0, 2).join('.');

describe('Refresh token rotation', () => {
  test('the parent gives a copy of its successor for ten seconds, and ends the session afterwards', async () => {
    const player = await aSignedInVisitor(server);
    const old = await player.sessionCookie();
    const successor = cookieOf(await player.refresh());
    // The use of a copy does not restart the ten seconds.
    for (const at of [4, 8]) {
      await wait(4_000);
      const again = await refreshWith(old);
      expect([at, again.status, exchangeOf(cookieOf(again))]).toEqual([at, 200, exchangeOf(successor)]);
    }
    await wait(3_000);
    expect((await refreshWith(old)).status).toBe(401);
    expect(await player.isSignedIn()).toBe(false);
    expect((await player.refresh()).status).toBe(401);
  });

  test('a forged token is rejected and ends no session', async () => {
    const [player, other] = [await aSignedInVisitor(server), await aSignedInVisitor(server)];
    const [, session, count, signature] = /^refresh=(.+)\.(\d+)\.(.+)$/.exec(await player.sessionCookie())!;
    const [, otherSession] = /^refresh=(.+)\.\d+\./.exec(await other.sessionCookie())!;
    const swapped = (signature!.startsWith('A') ? 'B' : 'A') + signature!.slice(1);
    for (const forged of [
      `${session}.1.${signature}`,
      `${session}.-1.${signature}`,
      `${session}.0${count}.${signature}`,
      `${otherSession}.${count}.${signature}`,
      `${session}.${count}.${swapped}`,
      `${session}.${count}.`,
      `${session}.${count}`,
      '',
      player.accessToken,
    ]) {
      expect([forged, (await refreshWith(`refresh=${forged}`)).status]).toEqual([forged, 401]);
    }
    for (const visitor of [player, other]) expect((await visitor.refresh()).status).toBe(200);
  });
});

describe('Refresh token rotation finds a thief', () => {
  test('at the second use, after one that succeeds', async () => {
    const player = await aSignedInVisitor(server);
    const start = await endOfLog(server);
    const stolen = await player.sessionCookie();
    await player.refresh();
    await wait(1_500);
    const first = await refreshWith(stolen);
    expect(first.status).toBe(200);
    expect(server.log().slice(start)).not.toContain('refresh_token_replayed');

    await wait(9 * MINUTE);
    expect((await player.refresh()).status).toBe(200);
    await wait(1_500);
    expect((await refreshWith(cookieOf(first))).status).toBe(401);
    expect(await player.isSignedIn()).toBe(false);
    expect((await player.refresh()).status).toBe(401);
    await logged(server, `"event":"refresh_token_replayed","playerId":"${player.user.id}"`);
  });

  test.each([1, 3])('that comes before the owner, after %d uses', async (uses) => {
    const player = await aSignedInVisitor(server);
    const stolen = await player.sessionCookie();
    const answers: Response[] = [];
    for (let use = 0; use < uses; use++) answers.push(await refreshWith(stolen));
    await wait(1_500);
    expect((await player.refresh()).status).toBe(200);

    await wait(9 * MINUTE);
    expect((await refreshWith(cookieOf(answers.at(-1)!))).status).toBe(200);
    await wait(1_500);
    expect((await player.refresh()).status).toBe(401);
  });

  test('behind two quick refreshes of the owner, at the next refresh', async () => {
    const player = await aSignedInVisitor(server);
    let stolen = await player.sessionCookie();
    for (const pause of [5_000, 9 * MINUTE]) {
      await player.refresh();
      await wait(1_500);
      const answer = await refreshWith(stolen);
      expect(answer.status).toBe(200);
      stolen = cookieOf(answer);
      await wait(pause);
    }
    await player.refresh();
    expect((await refreshWith(stolen)).status).toBe(401);
  });
});

describe('A session restored from a backup', () => {
  /** A player who has refreshed twice since the backup. */
  async function aRestoredPlayer() {
    const player = await aSignedInVisitor(server);
    await player.refresh();
    const spent = await player.sessionCookie();
    const columns = 'refresh_count, refresh_answers, refresh_used, last_seen_at, expires_at';
    const [backup] = await query<Record<string, unknown>>(
      server,
      `SELECT ${columns} FROM sessions WHERE player_id = $1`,
      [player.user.id],
    );
    for (let uses = 0; uses < 2; uses++) await player.refresh();
    const restored = [player.user.id, ...Object.values(backup!)];
    await query(server, `UPDATE sessions SET (${columns}) = ($2, $3, $4, $5, $6) WHERE player_id = $1`, restored);
    return { player, spent, start: await endOfLog(server) };
  }

  test('ends without an alarm at a token that is newer than the backup', async () => {
    const { player, start } = await aRestoredPlayer();
    expect((await player.refresh()).status).toBe(401);
    await logged(server, '"event":"restored_session_ended"');
    const [ended] = /.*"restored_session_ended".*/.exec(server.log().slice(start))!;
    expect(ended).toContain(`"playerId":"${player.user.id}"`);
    expect(server.log().slice(start)).not.toContain('refresh_token_replayed');
    expect(await player.isSignedIn()).toBe(false);
    expect((await new Visitor(server).refresh(await player.sessionCookie())).status).toBe(204);
  });

  test('still finds a thief with an older token', async () => {
    const { player, spent } = await aRestoredPlayer();
    expect((await refreshWith(spent)).status).toBe(200);
    await wait(60_000);
    expect((await refreshWith(spent)).status).toBe(401);
    await logged(server, `"event":"refresh_token_replayed","playerId":"${player.user.id}"`);
  });
});

test('an honest browser stays signed in for an hour in which the first answers to each refresh are lost', async () => {
  const player = await aSignedInVisitor(server);
  let cookie = await player.sessionCookie();
  for (let turn = 0; turn < 7; turn++) {
    const lost = [await refreshWith(cookie)];
    await wait(2_000);
    if (turn % 3 === 2) lost.push(await refreshWith(cookie));
    await wait(4_000);
    const answer = await refreshWith(cookie);
    expect([turn, ...lost.map(({ status }) => status), answer.status]).toEqual([turn, ...lost.map(() => 200), 200]);
    cookie = cookieOf(answer);
    await wait(9 * MINUTE);
  }
});

describe('Expiry', () => {
  test('14 days without use end a session', async () => {
    const player = await aSignedInVisitor(server);
    await wait(13.9 * DAY);
    expect((await player.refresh()).status).toBe(200);
    await wait(14 * DAY);
    expect((await player.refresh()).status).toBe(401);
  });

  test('60 days end a session in use, and its cookie ends then too', async () => {
    const player = await aSignedInVisitor(server);
    for (const days of [13.9, 13.9, 13.9, 13.9]) {
      await wait(days * DAY);
      expect((await player.refresh()).status).toBe(200);
    }
    const [cookie] = (await player.refresh()).headers.getSetCookie();
    expect(Number(/Max-Age=(\d+)/.exec(cookie!)![1])).toBeLessThanOrEqual(Math.round((60 - 4 * 13.9) * 24 * 3600));
    await wait(4.4 * DAY + MINUTE);
    expect((await player.refresh()).status).toBe(401);
    expect(await player.isSignedIn()).toBe(false);
  });
});

describe('Sign-out', () => {
  test('revokes both tokens at once, in every copy', async () => {
    const player = await aSignedInVisitor(server);
    const cookie = await player.sessionCookie();
    const response = await player.signOut();
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()[0]).toMatch(/^refresh=;.*1970/);
    expect(await player.isSignedIn()).toBe(false);
    const stats = await player.api(`/api/player/stats?userId=${player.user.id}`);
    expect(stats.status).toBe(401);
    expect((await refreshWith(cookie)).status).toBe(401);
    expect((await player.signOut()).status).toBe(204);
  });

  test("a new sign-in ends the browser's earlier session", async () => {
    const first = await aSignedInVisitor(server);
    const copy = Object.assign(new Visitor(server), { accessToken: first.accessToken });
    const second = await first.signIn({ name: 'Bob', email: 'bob@example.org' });
    expect([await copy.isSignedIn(), await second.isSignedIn()]).toEqual([false, true]);
  });
});

describe('A browser whose session has ended', () => {
  const BECAUSE = ['--reason', 'A test'];
  const remove = (id: string) => ttt(server, 'player', 'delete', id, ...BECAUSE);
  const ban = (id: string) => ttt(server, 'player', 'ban', id, ...BECAUSE);

  test.each<[code: string, by: string, end: (id: string, other: Visitor) => Promise<unknown>]>([
    ['account_deleted', 'the deletion in another browser', (_, other) => other.graphql('mutation { deleteAccount }')],
    ['account_deleted', 'a deletion by the operator', remove],
    ['account_deleted', 'a deletion after a ban', async (id) => [await ban(id), await remove(id)]],
    ['no_session', 'a ban', ban],
    ['no_session', 'a sign-out everywhere', (_, other) => other.graphql('mutation { signOutEverywhere }')],
  ])('hears %s after %s, and a sign-in begins another one', async (code, _, end) => {
    const player = aPerson();
    const browser = await aSignedInVisitor(server, player);
    const cookie = await browser.sessionCookie();
    await end(browser.user.id, await aSignedInVisitor(server, player));
    expect(await browser.isSignedIn()).toBe(false);
    const forged = await refreshWith(cookie.slice(0, -2) + (cookie.endsWith('AA') ? 'BB' : 'AA'));
    expect([forged.status, await forged.json()]).toEqual([401, { error: 'No session found.', code: 'no_session' }]);
    const answer = await browser.refresh();
    expect([answer.status, await answer.json()]).toEqual([401, { error: expect.any(String), code }]);
    expect([await browser.sessionCookie(), (await browser.refresh()).status]).toEqual(['', 204]);
    browser.cookies.setCookieSync(cookie, `${server.origin}/auth/refresh`);
    expect((await (await browser.signIn(aPerson())).refresh()).status).toBe(200);
  });
});

const FOREIGN: readonly Record<string, string>[] = [
  { 'x-requested-with': '' },
  { 'x-requested-with': 'XMLHttpRequest' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'x-requested-with': '', 'content-type': 'application/x-www-form-urlencoded' },
];
test('CSRF on cookie endpoints: a POST of another page, of a sibling host or of a form is 403 and changes nothing', async () => {
  const player = await aSignedInVisitor(server);
  for (const headers of FOREIGN)
    for (const path of ['/auth/token', '/auth/refresh', '/auth/signout']) {
      const response = await player.fetch(path, { method: 'POST', headers: { ...FROM_PAGE, ...headers } });
      expect([headers, response.status, response.headers.getSetCookie()]).toEqual([headers, 403, []]);
      expect(await response.json()).toMatchObject({ error: expect.any(String), code: 'forbidden' });
    }
  expect((await player.refresh()).status).toBe(200);
});

/** Long enough to be neither an address nor a word of the protocol. */
const isSecret = (value: string) => /^[\w-]{30,}$/.test(value);

test('the most detailed log of sign-in, refresh and sign-out holds no code, state or token', async () => {
  const start = await endOfLog(server);
  const visitor = new Visitor(server);
  const { query, verifier } = pkce();
  const secrets = [verifier, ...query.split(/[=&]/).filter(isSecret)];
  // Long values in a query are codes, states, nonces or challenges.
  const keep = ({ searchParams }: URL) => secrets.push(...[...searchParams.values()].filter(isSecret));
  const asked = new URL((await visitor.fetch(`/auth/google?${query}`)).headers.get('location')!);
  keep(asked);
  const person = { name: 'Private Person', email: 'private-person@example.org' };
  const { url } = await visitor.submit(await visitor.follow(asked.href), person);
  keep(url);
  secrets.push(...(await visitor.cookies.getCookies(`${server.origin}/auth/x`)).map(({ value }) => value));
  visitor.keep((await (await visitor.exchange(url.searchParams.get('code'), verifier)).json()) as TokenAnswer);
  secrets.push(visitor.accessToken!, (await visitor.sessionCookie()).split('=')[1]!, ...Object.values(person));
  expect(await visitor.isSignedIn()).toBe(true);
  await visitor.renew();
  secrets.push(visitor.accessToken!, (await visitor.sessionCookie()).split('=')[1]!);
  await visitor.signOut();
  // Failures are logged too, and must not reveal more.
  await visitor.refresh(`refresh=${secrets.at(-1)}`);
  await visitor.exchange(url.searchParams.get('code'), verifier);
  await visitor.fetch(`/auth/google/callback${asked.search}`);

  await endOfLog(server);
  const log = server.log().slice(start);
  for (const event of ['session_begun', 'signed_out', 'sign_in_code_replayed', 'sign_in_failed']) {
    expect(log).toContain(`"event":"${event}"`);
  }
  expect(log).not.toMatch(/eyJ[\w-]*\.|code=|state=|refresh=|verifier|[Bb]earer|cookie/);
  expect(secrets.length).toBeGreaterThan(8);
  for (const secret of secrets) expect(log).not.toContain(secret);
});

test('no address, header or file name puts a token or a code into the log, whole or in parts', async () => {
  const start = await endOfLog(server);
  const ada = await aPlayerAt(server, 'google');
  const secrets = {
    access: ada.accessToken,
    refresh: (await ada.sessionCookie()).split('=')[1]!,
    personal: await personalTokenOf(ada, 'stats_read'),
    ticket: (await startGame(ada, 'easy')).token,
    signIn: (await new Visitor(server).getCode()).code!,
    link: await linkCode(ada, 'github', aPerson()),
  };
  const statuses = new Set<number>();
  for (const secret of Object.values(secrets)) {
    const encoded = [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    for (const path of [
      `/${secret}`,
      `/api/${secret}`,
      `/api/leaderboard/${secret.replaceAll('.', '/')}`,
      `/AUTH/callback;${secret}/`,
      `/avatar/${secret}.svg`,
      `/assets/${secret}.js`,
      `/graphql/${secret.slice(0, 60)}/${secret.slice(60)}`,
      `/api/${encoded}`,
      `/api/${encoded.replaceAll('%', '%25')}`,
      `/api/leaderboard?access_token=${secret}`,
      `/auth/google/callback?code=${secret}&state=${secret}`,
      `//${secret}`,
      `http://${secret}/api`,
    ]) {
      const headers = {
        referer: `${server.origin}/?${secret}`,
        'user-agent': secret,
        authorization: `Basic ${secret}`,
      };
      const asked = request(server.origin, { path, headers }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      statuses.add(answer.resume().statusCode!);
    }
  }
  await endOfLog(server);
  const log = server.log().slice(start).toLowerCase();
  for (const [name, secret] of Object.entries(secrets)) {
    const encoded = [...secret].map((letter) => letter.charCodeAt(0).toString(16));
    const parts = [secret, encoded.join('%'), encoded.join('%25')].flatMap((text) => text.match(/.{24}/g)!);
    // The ids of the player and the session stand in a refresh token, and the log may have them.
    const inside = parts.filter((part) => !/^[\da-f_-]+$/.test(part) && log.includes(part.toLowerCase()));
    expect([name, inside]).toEqual([name, []]);
  }
  expect(log).toContain('"path":"/api/leaderboard/…"');
  expect(log).toContain('"path":"/avatar/:playerid.svg"');
  expect(statuses).not.toContain(500);
});
