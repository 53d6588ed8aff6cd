import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, isRequiredArgument } from 'graphql';
import { aServer, endOfLog, query, waitOn } from '../support/server.js';
import { squaresFor } from '../builders/finished-game.js';
import { aMadePlayer } from '../support/made.js';
import { finishGame, playGame, startGame } from '../support/play.js';
import { ttt } from '../support/ttt.js';
import { codeOf, dataOf, FROM_PAGE, Visitor } from '../support/visitor.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SCOPES = ['account_read', 'games_read', 'games_write', 'stats_read'] as const;

interface Token {
  id: string;
  name: string;
  scopes: string[];
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
}

const server = aServer();
const wait = waitOn(() => server);

const TOKEN = '{ id name scopes createdAt lastUsedAt expiresAt }';

const createToken = (
  player: Visitor,
  given: { name?: string; scopes?: readonly string[]; days?: number | null } = {},
) =>
  player.graphql<{ createToken: { secret: string; token: Token } }>(
    `mutation ($name: String!, $scopes: [TokenScope!]!, $days: Int) {
      createToken(name: $name, scopes: $scopes, days: $days) { secret token ${TOKEN} }
    }`,
    { name: 'My bot', scopes: SCOPES, days: 30, ...given },
  );

const aToken = async (...given: Parameters<typeof createToken>) => dataOf(await createToken(...given)).createToken;

/** A program that has nothing but the token. */
function programWith(secret: string): Visitor {
  return Object.assign(new Visitor(server), { accessToken: secret });
}

const myTokens = async (player: Visitor) =>
  dataOf(await player.graphql<{ myTokens: Token[] }>(`{ myTokens ${TOKEN} }`)).myTokens;
const revokeToken = (player: Visitor, id: string) =>
  player.graphql<{ revokeToken: Token[] }>(`mutation ($id: ID!) { revokeToken(id: $id) ${TOKEN} }`, { id });
const refusalOf = async (program: Visitor) => codeOf(await program.graphql('{ me { stats { score } } }'));

describe('a personal token', () => {
  test('plays a counted game that everybody can tell from a game of a person', async () => {
    const player = await aMadePlayer(server);
    const person = await playGame(server, player, { result: 'win' });
    const { secret } = await aToken(player, { scopes: ['games_write'] });
    expect(secret).toMatch(/^ttt_[0-9a-z]{82}$/);
    const played = await playGame(server, programWith(secret), { result: 'win' });
    expect(played).toMatchObject({ __typename: 'GameCounted', stats: { score: 2 } });
    const { leaderboard, me } = dataOf(
      await player.graphql<{ leaderboard: object[]; me: object }>(
        '{ leaderboard(limit: 100) { playerId byProgram } me { games { edges { node { id byProgram } } } } }',
      ),
    );
    expect(leaderboard).toContainEqual({ playerId: player.user.id, byProgram: true });
    const nodes = [
      { id: played.game!.id, byProgram: true },
      { id: person.game!.id, byProgram: false },
    ];
    expect(me).toEqual({ games: { edges: nodes.map((node) => ({ node })) } });
    const one = `{ game(playerId: "${player.user.id}", id: "${played.game!.id}") { byProgram } }`;
    expect((await new Visitor(server).graphql(one)).data).toEqual({ game: { byProgram: true } });
  });

  test('marks the player on the boards of whose games programs have played half', async () => {
    const player = await aMadePlayer(server);
    const { id } = player.user;
    const program = programWith((await aToken(player)).secret);
    const marks = async () => {
      const own = 'standing { neighbours(before: 0, after: 0) { entries { byProgram } } } week { byProgram }';
      const { data } = await program.graphql<Record<string, unknown>>(`{ me { programGames ${own} } }`);
      return JSON.stringify(data)
        .match(/\d+|true|false/g)!
        .join();
    };
    const { game } = await playGame(server, player, { result: 'win' });
    for (const by of [player, program]) await playGame(server, by, { result: 'win' });
    expect(await marks()).toBe('1,false,false');
    const because = ['--operator', 'Grace', '--reason', 'test'];
    await ttt(server, 'game', 'void', id, game!.id, ...because);
    expect(await marks()).toBe('1,true,true');
    await query(server, 'UPDATE player_weeks SET program_games = 0 WHERE player_id = $1', [id]);
    expect(await marks()).toBe('1,true,false');
    expect(await ttt(server, 'stats', 'rebuild', '--repair', ...because)).toMatchObject({ code: 0 });
    expect(await marks()).toBe('1,true,true');
    for (let games = 0; games < 2; games++) await playGame(server, player, { result: 'win' });
    expect(await marks()).toBe('1,false,false');
    await server.moveClock(7 * DAY);
    await playGame(server, program, { result: 'draw' });
    expect(await marks()).toBe('2,false,true');
  });

  test('marks a game whose ticket it has got, also when the browser sends the game', async () => {
    const player = await aMadePlayer(server);
    const { secret } = await aToken(player, { scopes: ['games_write'] });
    const ticket = await startGame(programWith(secret), 'easy');
    await wait(5_000);
    await finishGame(player, ticket.token, squaresFor({ ...ticket, result: 'win' }));
    const { data } = await player.graphql('{ me { games { edges { node { id byProgram } } } } }');
    expect(data).toEqual({ me: { games: { edges: [{ node: { id: ticket.gameId, byProgram: true } }] } } });
  });

  test('may be for a week or for years, has a name of its own, and each scope once', async () => {
    const player = await aMadePlayer(server);
    const wanted = { name: ' Ada’s 🤖 ', scopes: ['stats_read', 'stats_read'], days: 7 };
    const { secret, token } = await aToken(player, wanted);
    expect(token).toMatchObject({ name: 'Ada’s 🤖', scopes: ['stats_read'] });
    expect(Date.parse(token.expiresAt!) - Date.parse(token.createdAt)).toBe(7 * DAY);
    const { id, name, picture } = player.user;
    const { data } = await programWith(secret).graphql('{ me { id name picture } }');
    expect(data).toEqual({ me: { id, name, picture } });

    const endless = await aToken(player, { days: null });
    expect(endless.token.expiresAt).toBeNull();
    await wait(900 * DAY);
    expect(await refusalOf(programWith(endless.secret))).toBeUndefined();
  });

  test('is stored as a hash alone, and the export has its name alone', async () => {
    const player = await aMadePlayer(server);
    const { secret } = await aToken(player, { name: 'Secret bot' });
    const [, digits] = /^ttt_(.*)/.exec(secret)!;
    const rows = await query<{ text: string }>(
      server,
      `SELECT s::text AS text FROM sessions s WHERE player_id = '${player.user.id}'`,
    );
    expect(rows.filter(({ text }) => text.includes(digits!))).toEqual([]);
    const exported = await (await player.api('/api/account/export')).text();
    expect(exported).toContain('"Secret bot"');
    expect(exported).not.toContain('okenHash');
    expect(exported).not.toContain(digits!);
  });

  test('tells its last use to ten minutes', async () => {
    const player = await aMadePlayer(server);
    const { secret, token } = await aToken(player);
    expect(token.lastUsedAt).toBeNull();
    const program = programWith(secret);
    const used = async () => {
      await program.graphql('{ me { stats { score } } }');
      // The use is noted beside the answer.
      await endOfLog(server);
      await player.renew();
      return Date.parse((await myTokens(player))[0]!.lastUsedAt ?? '');
    };
    await wait(MINUTE);
    let first = NaN;
    while (Number.isNaN(first)) first = await used();
    expect(first).toBeGreaterThan(Date.parse(token.createdAt));
    await wait(5 * MINUTE);
    expect(await used()).toBe(first);
    await wait(6 * MINUTE);
    let last = first;
    // A statement of its own writes it.
    while (last === first) last = await used();
    expect(last - first).toBeGreaterThanOrEqual(11 * MINUTE);
  });
});

describe('a scope', () => {
  /** Without a token, with one of this scope alone or, without a scope, of all scopes, and with one of all the others. */
  const visitors = new Map<string | undefined, Visitor[]>();
  beforeAll(async () => {
    const player = await aMadePlayer(server);
    const withScopes = async (scopes: readonly string[]) => programWith((await aToken(player, { scopes })).secret);
    visitors.set(undefined, [new Visitor(server), await withScopes(SCOPES)]);
    for (const scope of SCOPES) {
      const others = SCOPES.filter((other) => other !== scope);
      const all = [new Visitor(server), await withScopes([scope]), await withScopes(others)];
      visitors.set(scope.replace('_', ':'), all);
    }
  });

  /** What the field refuses to each visitor, by its description. */
  function refusalsBy(description: string, needed: string | undefined) {
    if (!description.includes('Needs an access token')) return [undefined, undefined];
    if (needed) return ['UNAUTHENTICATED', undefined, 'INSUFFICIENT_SCOPE'];
    return ['UNAUTHENTICATED', description.includes('any personal token') ? undefined : 'TOKEN_NOT_ACCEPTED'];
  }

  test('is named by each field that needs a token, and nothing else opens the field', async () => {
    const answer = await new Visitor(server).graphql(getIntrospectionQuery());
    const schema = buildClientSchema(answer.data as unknown as IntrospectionQuery);
    let refused = 0;
    for (const type of [schema.getQueryType()!, schema.getMutationType()!]) {
      const operation = type === schema.getMutationType() ? 'mutation' : 'query';
      for (const field of Object.values(type.getFields())) {
        const given = field.args.filter(isRequiredArgument);
        const values = given.map(({ name, type: argument }) => `${name}: ${VALUES[String(argument)]}`).join(', ');
        const selection = /^\[?(Boolean|String|Int|ID)/.test(String(field.type)) ? '' : '{ __typename }';
        const text = `${operation} { ${field.name}${values && `(${values})`} ${selection} }`;
        const needed = /personal token with `(.*?)`/.exec(field.description!)?.[1];
        const refusals: (string | undefined)[] = [];
        for (const visitor of visitors.get(needed)!) {
          const code = codeOf(await visitor.graphql(text));
          refusals.push(/^(UNAUTHENTICATED|INSUFFICIENT_SCOPE|TOKEN_NOT_ACCEPTED)$/.exec(code ?? '')?.[0]);
        }
        expect([field.name, refusals]).toEqual([field.name, refusalsBy(field.description!, needed)]);
        refused += refusals.filter(Boolean).length;
      }
    }
    expect(refused).toBeGreaterThan(60);
  });

  test.each([
    ['GET', '/api/player/stats?userId=', 'stats:read'],
    ['POST', '/api/player/stats', 'games:write'],
    ['GET', '/api/account/export', undefined],
    ['POST', '/auth/google/link', undefined],
  ])('%s %s opens with the scope %s, and with no other', async (method, path, needed) => {
    const said: unknown[] = [];
    for (const visitor of visitors.get(needed)!) {
      const response = await visitor.api(path, { method, headers: FROM_PAGE });
      const { code } = (await response.json()) as { code?: string };
      said.push([response.status, code, response.headers.get('www-authenticate')]);
    }
    const none = [401, 'unauthenticated', 'Bearer'];
    const others = [403, 'insufficient_scope', 'Bearer error="insufficient_scope"'];
    expect(said).toEqual(needed ? [none, said[1], others] : [none, [403, 'token_not_accepted', null]]);
    if (needed) expect([200, 400, 415]).toContain((said[1] as unknown[])[0]);
  });
});

/** Valid values for the arguments of the schema. */
const VALUES: Record<string, string> = {
  'ID!': '"none"',
  'String!': '"2026-01-01"',
  'Int!': '1',
  'Boolean!': 'true',
  'Difficulty!': 'easy',
  '[Int!]!': '[0]',
  'Provider!': 'google',
  '[TokenScope!]!': '[stats_read]',
};

describe('a token is refused with a code of its own', () => {
  test('after its end', async () => {
    const { secret, token } = await aToken(await aMadePlayer(server), { days: 7 });
    const program = programWith(secret);
    expect(await refusalOf(program)).toBeUndefined();
    await wait(7 * DAY + MINUTE);
    expect(await refusalOf(program)).toBe('TOKEN_ENDED');
    const response = await program.api('/api/player/stats');
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
    const error = `This token ended on ${token.expiresAt!.slice(0, 10)}. Make a new one at /playground.`;
    expect(await response.json()).toMatchObject({ error, code: 'token_ended' });
  });

  test('after its revocation, also for a game that has begun', async () => {
    const player = await aMadePlayer(server);
    const { secret, token } = await aToken(player, { scopes: ['games_write'] });
    const { secret: other } = await aToken(player, { name: 'Another' });
    const program = programWith(secret);
    expect(await refusalOf(program)).toBe('INSUFFICIENT_SCOPE');
    const ticket = await startGame(program, 'easy');
    expect(await revokeToken(player, token.id)).toMatchObject({ data: { revokeToken: [{ name: 'Another' }] } });
    expect(await refusalOf(program)).toBe('TOKEN_REVOKED');
    expect(codeOf(await finishGame(program, ticket.token, [0]))).toBe('TOKEN_REVOKED');
    const stats = await program.api('/api/player/stats');
    expect([stats.status, await stats.json()]).toMatchObject([401, { code: 'token_revoked' }]);
    expect(await refusalOf(programWith(other))).toBeUndefined();
  });

  test('when it is mistyped, cut, made up or of a deleted player', async () => {
    const player = await aMadePlayer(server);
    const { secret } = await aToken(player);
    const swapped = (at: number) => secret.slice(0, at) + (secret[at] === 'a' ? 'b' : 'a') + secret.slice(at + 1);
    for (const text of [
      secret.slice(0, -1),
      `${secret}0`,
      swapped(10),
      swapped(80),
      secret.toUpperCase(),
      'ttt_',
      'ttt_a',
    ]) {
      const code = await refusalOf(programWith(text));
      expect([text, code]).toEqual([text, text.startsWith('ttt_') ? 'TOKEN_UNKNOWN' : 'UNAUTHENTICATED']);
    }
    await player.graphql('mutation { deleteAccount }');
    expect(await refusalOf(programWith(secret))).toMatch(/^TOKEN_(UNKNOWN|REVOKED)$/);
  });

  test('of a banned player; an operator also sees and ends tokens', async () => {
    const player = await aMadePlayer(server);
    const { secret } = await aToken(player);
    const program = programWith(secret);
    expect(await refusalOf(program)).toBeUndefined();
    expect((await ttt(server, 'player', 'show', player.user.id)).said).toContain('liveTokens: 1');
    const ticket = await startGame(program, 'easy');
    await ttt(server, 'player', 'ban', player.user.id, '--reason', 'cheats');
    expect(await refusalOf(program)).toBe('PLAYER_BANNED');
    expect(codeOf(await program.graphql('mutation { startGame(difficulty: easy) { token } }'))).toBe('PLAYER_BANNED');
    expect(codeOf(await finishGame(program, ticket.token, [0]))).toBe('PLAYER_BANNED');
    const answer = await program.api('/api/player/stats');
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'player_banned' }]);
    await ttt(server, 'player', 'unban', player.user.id, '--reason', 'an appeal');
    expect(await refusalOf(program)).toBe('TOKEN_REVOKED');

    const another = await aMadePlayer(server);
    const ended = await aToken(another);
    await ttt(server, 'player', 'sign-out', another.user.id, '--reason', 'asked for it');
    expect(await refusalOf(programWith(ended.secret))).toBe('TOKEN_REVOKED');
  });

  test('in an address, which the log does not repeat', async () => {
    const { secret } = await aToken(await aMadePlayer(server));
    for (const path of [
      `/api/leaderboard?access_token=${secret}`,
      `/${secret}`,
      `/graphql?token=${secret.toUpperCase()}`,
      `/api/${secret.slice(0, -7)}`,
      `/${secret.replace('_', '%5F')}`,
      `/x/%25${secret.replace('t', '74')}`,
    ]) {
      const response = await fetch(`${server.origin}${path}`);
      expect([path, response.status]).toEqual([path, 400]);
      expect(await response.text()).toMatch(/"code":"token_in_address"/i);
    }
    await endOfLog(server);
    expect(server.log().toLowerCase()).not.toContain(secret.slice(10, -10));
  });
});

describe('making and revoking', () => {
  test('needs the refresh cookie too, so that a stolen access token makes no token that outlives it', async () => {
    const { accessToken } = await aMadePlayer(server);
    const thief = Object.assign(new Visitor(server), { accessToken });
    const other = Object.assign(await aMadePlayer(server), { accessToken });
    for (const visitor of [thief, other]) {
      expect(codeOf(await createToken(visitor))).toBe('FORBIDDEN');
      for (const what of ['deleteAccount', 'signOutEverywhere']) {
        expect(codeOf(await visitor.graphql(`mutation { ${what} }`))).toBe('FORBIDDEN');
      }
      expect(await visitor.isSignedIn()).toBe(true);
    }
  });

  test('needs the newest refresh cookie, or the one before it', async () => {
    const player = await aMadePlayer(server);
    const createdWith = async (cookie: string) => {
      const body = JSON.stringify({ query: 'mutation { createToken(name: "x", scopes: [games_read]) { secret } }' });
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${player.accessToken}`, cookie };
      const answer = await fetch(`${server.origin}/graphql`, { method: 'POST', headers, body });
      return codeOf((await answer.json()) as Awaited<ReturnType<typeof createToken>>);
    };
    const cookie = await player.sessionCookie();
    await player.refresh();
    expect(await createdWith(cookie)).toBeUndefined();
    await player.refresh();
    expect(await createdWith(cookie)).toBe('FORBIDDEN');
    expect(await createdWith(await player.sessionCookie())).toBeUndefined();
  });

  test('needs a recent sign-in, and no token is enough', async () => {
    const player = await aMadePlayer(server);
    const { secret, token } = await aToken(player);
    const codesOf = async (who: Visitor) => [codeOf(await createToken(who)), codeOf(await revokeToken(who, token.id))];
    expect(await codesOf(programWith(secret))).toEqual(['TOKEN_NOT_ACCEPTED', 'TOKEN_NOT_ACCEPTED']);
    await wait(11 * MINUTE);
    await player.renew();
    expect(await codesOf(player)).toEqual(['RECENT_SIGN_IN_REQUIRED', 'RECENT_SIGN_IN_REQUIRED']);
  });

  test('needs a name, a scope and a number of days', async () => {
    const player = await aMadePlayer(server);
    const name = 'name must be 1 to 50 characters, all of them visible.';
    for (const [given, message] of [
      [{ name: '  ' }, name],
      [{ name: 'x'.repeat(51) }, name],
      [{ name: 'a\nb' }, name],
      [{ scopes: [] }, 'scopes must name at least one scope.'],
      [{ days: 8 }, 'days must be 7, 30 or 90, or be left out.'],
    ] as const) {
      const { errors } = await createToken(player, given);
      expect([given, errors]).toMatchObject([given, [{ message, extensions: { code: 'BAD_USER_INPUT' } }]]);
    }
  });

  test('a player has 20, also when 30 are made at once', async () => {
    const player = await aMadePlayer(server);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => createToken(player, { name: `Bot ${at}` })),
    );
    expect(answers.map(codeOf).filter((code) => code === 'TOO_MANY_TOKENS')).toHaveLength(10);
    const tokens = await myTokens(player);
    expect(tokens).toHaveLength(20);
    await revokeToken(player, tokens[0]!.id);
    expect(codeOf(await createToken(player))).toBeUndefined();
  });

  test('knows only the own tokens, and no browser', async () => {
    const [player, other] = [await aMadePlayer(server), await aMadePlayer(server)];
    const { token } = await aToken(other);
    const { data } = await player.graphql<{ mySessions: { id: string }[] }>('{ mySessions { id } }');
    expect(data!.mySessions).toHaveLength(1);
    for (const id of [token.id, data!.mySessions[0]!.id, 'none'])
      expect(codeOf(await revokeToken(player, id))).toBe('NOT_FOUND');
    const end = await other.graphql('mutation ($id: ID!) { endSession(id: $id) { id } }', { id: token.id });
    expect(codeOf(end)).toBe('NOT_FOUND');
    expect(await myTokens(other)).toHaveLength(1);
  });

  test('other browsers end without the tokens; a sign-out everywhere ends both', async () => {
    const player = await aMadePlayer(server);
    const program = programWith((await aToken(player)).secret);
    await player.graphql('mutation { endOtherSessions { id } }');
    expect(await refusalOf(program)).toBeUndefined();
    await player.graphql('mutation { signOutEverywhere }');
    expect(await refusalOf(program)).toBe('TOKEN_REVOKED');
  });

  test('a player makes 100 a day, however many are revoked', async () => {
    const player = await aMadePlayer(server);
    const { token } = await aToken(player);
    await revokeToken(player, token.id);
    await query(
      server,
      `INSERT INTO sessions (player_id, id, token_hash, token_name, token_scopes, created_at, last_seen_at, expires_at, revoked_at)
       SELECT player_id, gen_random_uuid(), sha256(n::text::bytea), token_name, token_scopes, created_at, last_seen_at, expires_at, revoked_at
       FROM sessions, generate_series(2, 99) AS n WHERE id = $1`,
      [token.id],
    );
    expect(codeOf(await createToken(player))).toBeUndefined();
    expect(codeOf(await createToken(player))).toBe('TOO_MANY_TOKENS');
  });
});
