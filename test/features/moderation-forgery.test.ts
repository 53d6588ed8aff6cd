import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { decide, type DecisionName, DECISIONS, gameOf, type SignedIn } from '../support/moderation.js';
import { aMadePlayer } from '../support/made.js';
import { playGame } from '../support/play.js';
import { ADA, aServer, GRACE, query, startBeside, wrongSettingsIn } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor, at, codeOf, personalTokenOf, Visitor } from '../support/visitor.js';

const server = aServer();
let moderator: SignedIn;
let other: SignedIn;
let player: SignedIn;
let game: string;
afterEach(() => server.resetClock());
beforeAll(async () => {
  player = await aMadePlayer(server, { name: 'Mallory' });
  game = gameOf(player, (await playGame(server, player, { result: 'win' })).game!.id);
  [moderator, other] = [await aMadePlayer(server, ADA), await aMadePlayer(server, GRACE)];
});

const isModerator = async (visitor: Visitor) => (await visitor.graphql('{ me { isModerator } }')).data;

const NAMES = Object.keys(DECISIONS) as DecisionName[];
const targetOf = (name: DecisionName) => (name.endsWith('Game') ? game : player.user.id);
const QUERIES = [
  '{ moderatedPlayers { edges { cursor } } }',
  'query ($id: ID!) { playerReport(id: $id) { liveSessions } }',
  '{ audit { edges { cursor } } }',
] as const;

async function aPersonalToken(of: Visitor): Promise<Visitor> {
  const accessToken = await personalTokenOf(of, 'account_read, games_read, games_write, stats_read');
  return Object.assign(new Visitor(server), { accessToken });
}

async function nothingHasChanged(): Promise<void> {
  expect(await query(server, 'SELECT action FROM audit')).toEqual([]);
  expect(await query(server, 'SELECT 1 FROM voided_games UNION ALL SELECT 1 FROM bans')).toEqual([]);
  const players = await query(server, 'SELECT 1 FROM players WHERE renamed_at IS NOT NULL OR hidden_at IS NOT NULL');
  expect(players).toEqual([]);
  expect(await player.isSignedIn()).toBe(true);
}

test('every mutation and every query of moderation is for the token of a moderator alone', async () => {
  const ended = await aSignedInVisitor(server, ADA);
  await ended.signOut();
  const strangers: readonly [Visitor, string][] = [
    [new Visitor(server), 'UNAUTHENTICATED'],
    [player, 'NOT_A_MODERATOR'],
    // With all scopes.
    [await aPersonalToken(moderator), 'TOKEN_NOT_ACCEPTED'],
    [alteredTokenOf(moderator), 'UNAUTHENTICATED'],
    [ended, 'UNAUTHENTICATED'],
  ];
  for (const [visitor, code] of strangers) {
    for (const name of NAMES) expect([name, codeOf(await decide(visitor, name, targetOf(name)))]).toEqual([name, code]);
    for (const text of QUERIES) {
      const answer = await visitor.graphql(text, { id: player.user.id });
      expect([text, codeOf(answer)]).toEqual([text, code]);
    }
  }
  await nothingHasChanged();
});

function alteredTokenOf({ accessToken }: Visitor): Visitor {
  const [header, , signature] = accessToken!.split('.');
  const claims = JSON.parse(Buffer.from(player.accessToken!.split('.')[1]!, 'base64url').toString()) as { sub: string };
  const forged = Buffer.from(JSON.stringify({ ...claims, sub: moderator.user.id })).toString('base64url');
  return Object.assign(new Visitor(server), { accessToken: [header, forged, signature].join('.') });
}

test('a sign-in of eleven minutes ago is not enough for a mutation, and is enough to look', async () => {
  const late = await aSignedInVisitor(server, ADA);
  await server.moveClock(11 * 60_000);
  await late.renew();
  for (const name of NAMES) {
    const answer = await decide(late, name, targetOf(name));
    expect([name, codeOf(answer)]).toEqual([name, 'RECENT_SIGN_IN_REQUIRED']);
  }
  for (const text of QUERIES) {
    expect((await late.graphql(text, { id: player.user.id })).errors).toBeUndefined();
  }
  await server.resetClock();
  await nothingHasChanged();
});

test('a moderator whom the settings of a server do not name is a player there, with the same token', async () => {
  // The one who is left is named by the id, in capitals.
  const MODERATORS = ` ${other.user.id.toUpperCase()},`;
  const later = await startBeside(server, { MODERATORS });
  expect(await isModerator(at(later, other))).toEqual({ me: { isModerator: true } });
  const former = at(later, moderator);
  expect(await isModerator(former)).toEqual({ me: { isModerator: false } });
  for (const name of NAMES) expect(codeOf(await decide(former, name, targetOf(name)))).toBe('NOT_A_MODERATOR');
  await later.remove();
});

test('only moderators learn that they are moderators', async () => {
  expect(await isModerator(moderator)).toEqual({ me: { isModerator: true } });
  for (const visitor of [player, await aPersonalToken(moderator)]) {
    expect(await isModerator(visitor)).toEqual({ me: { isModerator: false } });
  }
  const ofAnother = 'query ($id: ID!) { player(id: $id) { isModerator } }';
  expect(codeOf(await other.graphql(ofAnother, { id: moderator.user.id }))).toBe('GRAPHQL_VALIDATION_FAILED');
});

test('a reason that is blank, long, hidden or of several lines is refused, and so is an unknown id', async () => {
  const refused = async (name: DecisionName, reason: string) => {
    const { errors } = await decide(moderator, name, targetOf(name), { reason });
    const message = 'reason must be 1 to 500 characters, all of them visible.';
    expect([name, reason, errors]).toMatchObject([name, reason, [{ message, extensions: { code: 'BAD_USER_INPUT' } }]]);
  };
  const reasons = [' \u200b\u3164 ', 'x'.repeat(1_000), 'one\ntwo', 'a\u0000b', 'a \u202eb', `a${'\u0301'.repeat(6)}`];
  for (const name of NAMES) for (const reason of reasons) await refused(name, reason);

  const unknown = async (name: DecisionName, id: string) => {
    const { data, errors } = await decide(moderator, name, id);
    expect([name, id, errors]).toEqual([name, id, undefined]);
    expect(data![name]).toMatchObject({ __typename: 'DecisionRefused', message: expect.stringMatching(/./) });
    expect(['player_unknown', 'game_unknown']).toContain(data![name]!.reason);
  };
  for (const id of ['00000000-0000-0000-0000-000000000000', '', 'x', "' OR true --", '\u0000']) {
    for (const name of NAMES) await unknown(name, id);
    expect((await moderator.graphql(QUERIES[1], { id })).data).toEqual({ playerReport: null });
  }
  await nothingHasChanged();
});

test('moderators decide neither about themselves nor about each other', async () => {
  for (const about of [moderator, other]) {
    const game = gameOf(about, (await playGame(server, about, { result: 'win' })).game!.id);
    for (const name of NAMES) {
      const id = name.endsWith('Game') ? game : about.user.id;
      const { data } = await decide(moderator, name, id);
      expect([name, data![name]!.reason]).toEqual([name, 'player_is_moderator']);
    }
    expect(await about.isSignedIn()).toBe(true);
  }
  await nothingHasChanged();
});

test('wrong entries of MODERATORS keep the server from starting, each with a sentence', () => {
  const wrong = ['ada@example.org', 'github:octocat', 'github:0583231', 'oidc:'];
  const right = [crypto.randomUUID(), 'google:1234567', 'oidc:Mod|1', ''];
  expect(wrongSettingsIn({ MODERATORS: [...wrong, ...right].join(', ') })).toEqual(
    wrong.map((entry) => expect.stringContaining(`MODERATORS has the entry "${entry}": an entry must be`)),
  );
});

test('a player who has unlinked the identity of a moderator is no moderator, and a target as others', async () => {
  const thief = await aMadePlayer(server, { name: 'Eve' });
  await query(
    server,
    `INSERT INTO left_identities (identity_hash, player_id, left_at, hidden, returned_as)
     SELECT sha256(convert_to(issuer, 'UTF8') || '\\x00'::bytea || convert_to(subject, 'UTF8')), $1, now(), false, $2
     FROM identities WHERE player_id = $2`,
    [thief.user.id, other.user.id],
  );
  expect(await isModerator(thief)).toEqual({ me: { isModerator: false } });
  const { data } = await decide(moderator, 'banPlayer', thief.user.id);
  expect(data!.banPlayer).toMatchObject({ __typename: 'Decision', changed: true });
});

test('a moderator whose account is deleted is no target by the earlier id, before and after the return', async () => {
  const earlier = other.user.id;
  await other.graphql('mutation { deleteAccount }');
  for (const back of [false, true]) {
    if (back) other = await aSignedInVisitor(server, GRACE);
    const { data } = await decide(moderator, 'banPlayer', earlier);
    expect([back, data!.banPlayer!.reason]).toEqual([back, 'player_is_moderator']);
  }
  expect(await isModerator(other)).toEqual({ me: { isModerator: true } });
});

test('a hidden moderator keeps the rights, and a banned one has none until the ban ends', async () => {
  // The test before has deleted the account, which ends the session of beforeAll.
  other = await aSignedInVisitor(server, GRACE);
  const { id } = other.user;
  const looks = (visitor: Visitor) => Promise.all(QUERIES.map((text) => visitor.graphql(text, { id: player.user.id })));
  // Hiding is about the boards. Who shall moderate no more leaves MODERATORS.
  await ttt(server, 'player', 'hide', id, '--reason', 'A test');
  expect(await isModerator(other)).toEqual({ me: { isModerator: true } });
  expect((await looks(other)).map(codeOf)).toEqual(QUERIES.map(() => undefined));
  expect((await decide(other, 'hidePlayer', player.user.id)).data!.hidePlayer).toMatchObject({ changed: true });

  await ttt(server, 'player', 'ban', id, '--reason', 'A test');
  expect((await looks(other)).map(codeOf)).toEqual(QUERIES.map(() => 'UNAUTHENTICATED'));
  for (const name of NAMES) expect(codeOf(await decide(other, name, targetOf(name)))).toBe('UNAUTHENTICATED');
  expect((await other.refresh()).status).toBe(401);
  await expect(aSignedInVisitor(server, GRACE)).rejects.toThrow();
  // The ban of a moderator is no moderator's to end.
  expect((await decide(moderator, 'unbanPlayer', id)).data!.unbanPlayer!.reason).toBe('player_is_moderator');
  await ttt(server, 'player', 'unban', id, '--reason', 'A test');
  expect(await isModerator(await aSignedInVisitor(server, GRACE))).toEqual({ me: { isModerator: true } });
});
