import { beforeAll, expect, test } from '@jest/globals';
import { replay } from '../../../game/replay.js';
import { inParallel } from '../../support/load.js';
import { aReadyWin, finishGame, statsOf } from '../../support/play.js';
import { aServer } from '../../support/server.js';
import { aSignedInVisitor, type SignedInUser, type Visitor } from '../../support/visitor.js';

const server = aServer();
let player: Visitor & { user: SignedInUser; accessToken: string };
beforeAll(async () => {
  player = await aSignedInVisitor(server);
});

const refusalOf = async (visitor: Visitor, token: string, squares: readonly number[]) =>
  (await finishGame(visitor, token, squares)).data?.finishGame.reason;

test("rejects another player's ticket, before and after its use", async () => {
  const { ticket, squares } = await aReadyWin(server, player);
  const thief = await aSignedInVisitor(server);
  expect(await refusalOf(thief, ticket.token, squares)).toBe('ticket_of_another_player');
  await finishGame(player, ticket.token, squares);
  expect(await refusalOf(thief, ticket.token, squares)).toBe('ticket_of_another_player');
  expect(await statsOf(thief)).toMatchObject({ wins: 0, losses: 0, draws: 0 });
});

test('rejects expired tickets', async () => {
  const { ticket, squares } = await aReadyWin(server, player);
  const week = 7 * 24 * 3600_000;
  await server.moveClock(week);
  try {
    await player.renew();
    expect(await refusalOf(player, ticket.token, squares)).toBe('ticket_expired');
  } finally {
    await server.moveClock(-week);
    await player.renew();
  }
});

test('rejects every illegal list of up to two squares, and a won game with a move removed, doubled or added', async () => {
  const { ticket, squares } = await aReadyWin(server, player);
  const before = await statsOf(player);
  const numbers = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2 ** 31 - 1];
  const lists: (readonly number[])[] = [
    [],
    ...numbers.map((one) => [one]),
    ...numbers.flatMap((one) => numbers.map((two) => [one, two])),
    ...squares.map((_, at) => squares.toSpliced(at, 1)),
    ...squares.map((square, at) => squares.toSpliced(at, 0, square)),
    ...numbers.map((more) => [...squares, more]),
  ];
  const reasons = new Set<string | undefined>();
  // Without one move, a game can by chance be another legal game.
  const illegal = lists.filter((list) => !replay({ ...ticket, squares: list }).ok);
  await inParallel(illegal, 8, async (list) => void reasons.add(await refusalOf(player, ticket.token, list)));
  expect(reasons).toEqual(new Set(['illegal_move', 'game_unfinished']));
  expect(await statsOf(player)).toEqual(before);
});
