import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { Result } from '../../game/rules.js';
import { DAY, playChallenge, startChallenge, stopAtNoon } from '../support/challenge.js';
import { aServer, query, removeData } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor, dataOf, type Visitor } from '../support/visitor.js';

type Player = Awaited<ReturnType<typeof aSignedInVisitor>>;

const server = aServer();
const NOON = Date.parse('2031-09-03T12:00:00Z');
let day: string;
beforeEach(async () => {
  await removeData(server);
  day = await stopAtNoon(server, NOON);
});

const GOOD = ['win', 'win', 'win', 'win', 'draw'] as const;
const FAIR = ['win', 'win', 'win', 'lose', 'draw'] as const;
const POOR = ['win', 'lose', 'lose', 'lose', 'lose'] as const;

const RIVALS = 'name daysWon daysDrawn daysLost lastLost weekScore today { place wins draws results moves }';

async function rivalsOf(player: Visitor): Promise<{ name: string; weekScore: number }[]> {
  return dataOf(await player.graphql<{ me: { rivals: [] } }>(`{ me { rivals { ${RIVALS} } } }`)).me.rivals;
}
const sorted = (rivals: { name: string }[]) => rivals.map(({ name }) => name).sort();
const namesOf = async (player: Visitor) => sorted(await rivalsOf(player));
const FORGET = 'mutation ($id: ID!) { forgetRival(playerId: $id) { name } }';
const forget = async (player: Visitor, id: string) =>
  sorted((await player.graphql<{ forgetRival: [] }>(FORGET, { id })).data!.forgetRival);

const players = (...names: string[]) => Promise.all(names.map((name) => aSignedInVisitor(server, { name })));

/** Plays the challenge of today by a link, if there is one. */
async function play(player: Player, results: readonly Result[], by?: Player): Promise<void> {
  await startChallenge(player, day, 1, by?.user.id);
  await playChallenge(player, day, results);
}

async function nextDay(days: number, ...signedIn: Player[]): Promise<void> {
  await server.moveClock(days * DAY);
  day = new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
  for (const player of signedIn) await player.renew();
}

test('a dare makes rivals, who see each other, with the days won, drawn and lost and the result of today', async () => {
  const [ada, bo, cy] = (await players('Ada', 'Bo', 'Cy')) as [Player, Player, Player];
  await play(ada, GOOD);
  await startChallenge(bo, day, 1, ada.user.id);
  const none = { daysWon: 0, daysDrawn: 0, daysLost: 0, lastLost: null };
  expect(await rivalsOf(ada)).toEqual([{ name: 'Bo', ...none, weekScore: 0, today: null }]);
  expect(await rivalsOf(bo)).toMatchObject([
    { name: 'Ada', ...none, today: { place: 1, wins: 4, draws: 1, results: GOOD, moves: null } },
  ]);
  expect(await rivalsOf(cy)).toEqual([]);
  await playChallenge(bo, day, FAIR);
  // Today is not over, and so it is neither won nor lost.
  expect(await rivalsOf(ada)).toMatchObject([{ ...none, today: { place: 2, wins: 3, draws: 1 } }]);
  expect(await rivalsOf(bo)).toMatchObject([{ ...none, lastLost: day }]);

  await nextDay(1, ada, bo, cy);
  await play(bo, FAIR);
  await play(ada, FAIR);
  await nextDay(1, ada, bo, cy);
  await play(bo, GOOD);
  await play(cy, POOR, bo);
  const lastLost = day;
  // A game that is unfinished at the end of its day is lost.
  await startChallenge(ada, day, 1);
  await nextDay(1, ada, bo, cy);
  await play(ada, POOR);
  await nextDay(1, ada, bo, cy);
  expect(await rivalsOf(ada)).toMatchObject([
    { name: 'Bo', daysWon: 1, daysDrawn: 1, daysLost: 1, lastLost, today: null },
  ]);
  expect(await rivalsOf(bo)).toMatchObject([
    { name: 'Cy', ...none, daysWon: 1 },
    { name: 'Ada', daysWon: 1, daysDrawn: 1, daysLost: 1 },
  ]);

  await query(server, 'UPDATE player_weeks SET score = 7 WHERE player_id = $1', [bo.user.id]);
  expect(await rivalsOf(ada)).toMatchObject([{ weekScore: 7 }]);
  // A session that nobody uses ends after fourteen days.
  await nextDay(12, ada, bo);
  await nextDay(11, ada, bo);
  expect(await rivalsOf(ada)).toMatchObject([{ daysWon: 1, daysDrawn: 1, daysLost: 1 }]);
  await nextDay(1, ada, bo);
  expect(await rivalsOf(ada)).toEqual([]);
});

test('rivals are so until one of them forgets the other, quietly, and again by a new dare', async () => {
  const [ada, bo, cy] = (await players('Ada', 'Bo', 'Cy')) as [Player, Player, Player];
  await play(ada, GOOD);
  await play(bo, FAIR, ada);
  await play(cy, FAIR, ada);
  for (const id of ['nobody', '', '💥', randomUUID(), ada.user.id])
    expect([id, await forget(ada, id)]).toEqual([id, ['Bo', 'Cy']]);
  expect([await forget(bo, ada.user.id.toUpperCase()), await namesOf(ada)]).toEqual([[], ['Cy']]);
  expect([await forget(ada, cy.user.id), await namesOf(cy)]).toEqual([[], []]);
  await startChallenge(bo, day, 1, ada.user.id);
  expect(await namesOf(ada)).toEqual([]);
  await nextDay(1, ada, bo);
  await play(bo, FAIR);
  await play(ada, POOR, bo);
  expect(await rivalsOf(bo)).toMatchObject([{ name: 'Ada', daysWon: 0, daysLost: 1 }]);
});

test('a rival is nobody who is hidden, banned or deleted, but somebody with a closed page', async () => {
  const names = ['Ada', 'Hidden', 'Banned', 'Deleted', 'Bo'];
  const [ada, hidden, banned, deleted, bo] = (await players(...names)) as [Player, Player, Player, Player, Player];
  await play(hidden, GOOD);
  await play(ada, GOOD, hidden);
  for (const taker of [banned, deleted, bo]) await play(taker, FAIR, ada);
  expect(await namesOf(ada)).toEqual(['Banned', 'Bo', 'Deleted', 'Hidden']);
  await ttt(server, 'player', 'hide', hidden.user.id, '--reason', 'A bot');
  // A command keeps the time of this computer, and can end no session of a later day.
  await banned.signOut();
  await ttt(server, 'player', 'ban', banned.user.id, '--reason', 'A bot');
  await deleted.graphql('mutation { deleteAccount }');
  await bo.graphql('mutation { setPageOpen(open: false) }');
  expect([await namesOf(ada), await namesOf(hidden)]).toEqual([['Bo'], []]);
});

test('of a hundred takers a day fifty rivals are shown, those of the latest dares', async () => {
  const [ada] = (await players('Ada')) as [Player];
  await query(
    server,
    `WITH made AS (
       INSERT INTO players (name, provider, created_at)
       SELECT 'Number ' || n, 'google', now() FROM generate_series(1, 100) AS n RETURNING id, substr(name, 8)::integer AS n
     )
     INSERT INTO challenge_attempts (player_id, day, run_start, games, started_at, dared_by)
     SELECT id, $2::date - back, $2::date - back, '{40}', ARRAY[$2::date - back + n * interval '1 second'], $1
     FROM made, generate_series(0, 27) AS back`,
    [ada.user.id, day],
  );
  const latest = Array.from({ length: 50 }, (_none, at) => ({ name: `Number ${100 - at}` }));
  expect(await rivalsOf(ada)).toMatchObject(latest);
});
