import { beforeEach, expect, test } from '@jest/globals';
import { pageCode } from '../../game/dare.js';
import { weekOf } from '../../game/week.js';
import { DAY, startChallenge, stopAtNoon } from '../support/challenge.js';
import { playGame } from '../support/play.js';
import { aServer, query, removeData } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

const server = aServer();
const NOON = Date.parse('2032-03-10T12:00:00Z');
let day: string;
beforeEach(async () => {
  await removeData(server);
  day = await stopAtNoon(server, NOON);
});

const FIELDS = `id name picture since stats { wins } standing { rank exact } week { rank score }
  weeks { week score wins losses draws } badges { badge reachedAt } bestHardDrawsInARow run`;

type Answer = { page: object | null };
const seen = async (id: string, fields = FIELDS) =>
  (await new Visitor(server).graphql<Answer>(`{ page: player(id: "${id}") { ${fields} } }`)).data!.page;
const own = async (player: Visitor, fields = FIELDS) =>
  (await player.graphql<{ me: Answer }>(`{ me { pageIsOpen page { ${fields} } } }`)).data!.me;
const setOpen = (player: Visitor, open: boolean) => player.graphql(`mutation { setPageOpen(open: ${open}) }`);

test('the page of a player has the weeks, the badges, the best run of draws and the run of days', async () => {
  const ada = await aSignedInVisitor(server, { name: 'Ada' });
  const { id, picture } = ada.user;
  await playGame(server, ada, { result: 'win' });
  for (const result of ['draw', 'draw', 'lose', 'draw'] as const)
    await playGame(server, ada, { result, difficulty: 'hard' });
  const week = weekOf(new Date(NOON));
  const [earliest, before, tooEarly] = [25, 1, 26].map((weeks) => weekOf(new Date(NOON - weeks * 7 * DAY)));
  const sums = { score: 3, wins: 4, losses: 1, draws: 0 };
  await query(server, 'INSERT INTO player_weeks SELECT $1, day, 3, 4, 1, 0, now() FROM unnest($2::date[]) AS day', [
    id,
    [tooEarly, earliest, before],
  ]);
  await startChallenge(ada, day, 1);
  const at = expect.stringMatching(/^2032-03-10T/);
  const page = {
    id,
    name: 'Ada',
    picture,
    since: at,
    stats: { wins: 1 },
    standing: { rank: 1, exact: true },
    week: { rank: 1, score: 0 },
    weeks: [
      { week: earliest, ...sums },
      { week: before, ...sums },
      { week, score: 0, wins: 1, losses: 1, draws: 3 },
    ],
    badges: ['first_easy_win', 'first_hard_draw'].map((badge) => ({ badge, reachedAt: at })),
    bestHardDrawsInARow: 2,
    run: 1,
  };
  expect(await seen(id.toUpperCase())).toEqual(page);
  expect(await own(ada)).toEqual({ pageIsOpen: true, page });
  expect(await seen(id, 'weeks(last: 1) { week }')).toEqual({ weeks: [{ week }] });
  for (const last of [0, 27, 1_000, -1]) {
    const { errors } = await new Visitor(server).graphql(`{ player(id: "${id}") { weeks(last: ${last}) { week } } }`);
    expect(errors).toMatchObject([{ message: 'last must be a whole number from 1 to 26.' }]);
  }
});

test('a page is there for the player alone when hidden or closed; the boards and the export stay', async () => {
  const ada = await aSignedInVisitor(server, { name: 'Ada' });
  const { id } = ada.user;
  await playGame(server, ada, { result: 'win' });
  expect((await setOpen(ada, false)).data).toEqual({ setPageOpen: false });
  expect(await seen(id, 'id')).toBeNull();
  expect(await own(ada, 'id week { rank }')).toEqual({ pageIsOpen: false, page: { id, week: { rank: 1 } } });
  const board = await new Visitor(server).graphql('{ leaderboard { playerId } }');
  expect(board.data).toEqual({ leaderboard: [{ playerId: id }] });
  const exported = (await (await ada.api('/api/account/export')).json()) as { player: object };
  expect(exported.player).toMatchObject({ pageOpen: false });
  expect((await setOpen(ada, true)).data).toEqual({ setPageOpen: true });
  expect(await seen(id, 'id')).toEqual({ id });
  await ttt(server, 'player', 'hide', id, '--reason', 'Offensive');
  expect(await own(ada, 'id week { rank }')).toEqual({ pageIsOpen: true, page: { id, week: { rank: null } } });
});

test('the link of a page has the name and the score alone for previews, and is in no search', async () => {
  const player = () => aSignedInVisitor(server, { name: '<b>Ada</b>' });
  const [ada, hidden, closed] = await Promise.all([player(), player(), player()]);
  await playGame(server, ada, { result: 'win' });
  await setOpen(closed, false);
  await ttt(server, 'player', 'hide', hidden.user.id, '--reason', 'Offensive');
  const [link = '', ...others] = [ada, hidden, closed].map(({ user }) => `/p/${pageCode(user.id)}`);
  const pageOf = async (path: string) => {
    const answer = await fetch(server.origin + path, { headers: { accept: 'text/html' } });
    const rules = ['cache-control', 'x-robots-tag'].map((name) => answer.headers.get(name));
    expect([answer.status, ...rules]).toEqual([200, 'no-cache', 'noindex']);
    return (await answer.text()).replace(/\s+/g, ' ');
  };
  const [page, general] = [await pageOf(link), await pageOf('/p/nobody')];
  const contents = page.match(/content="[^"]*"/g)!.filter((content) => !general.includes(content));
  const [title, description] = ['&#60;b&#62;Ada&#60;/b&#62; at Tic-Tac-Toe', 'Score: 1'];
  const words = [description, server.origin + link, title, description, title, description];
  expect(contents).toEqual(words.map((content) => `content="${content}"`));
  for (const wrong of [`${link}A`, link.slice(0, -1), `/p/${ada.user.id.toUpperCase()}`, '/p/%3Cb%3E', ...others])
    expect(await pageOf(wrong)).toBe(general);
});
