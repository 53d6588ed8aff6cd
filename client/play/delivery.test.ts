import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { RefusalReason } from '../graphql/generated.js';
import { aFinishedGame } from '../testing/game.js';
import { aRefusal } from '../testing/server.js';
import { Delivery, type FinishGame, type FinishGameAnswer } from './delivery.js';
import { Outbox } from './outbox.js';

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
});
afterEach(() => void jest.useRealTimers());

const counted = {
  __typename: 'GameCounted',
  game: { __typename: 'Game', id: 'g', bonus: false },
  stats: { __typename: 'PlayerStats', playerId: 'ada' },
} as unknown as FinishGameAnswer;

function aDelivery() {
  const finishGame = jest.fn<FinishGame>(async () => counted);
  const outbox = new Outbox('ada');
  const delivery = new Delivery('ada', outbox, finishGame);
  const onCounted = jest.fn();
  delivery.onCounted(onCounted);
  return { delivery, outbox, finishGame, onCounted };
}

const settle = () => jest.advanceTimersByTimeAsync(0);

function expectWarning(text: string) {
  expect(console.warn).toHaveBeenCalledWith(text);
  jest.mocked(console.warn).mockClear();
}

it('retries an unsent game with growing pauses and reports the delay', async () => {
  const { delivery, outbox, finishGame } = aDelivery();
  finishGame.mockRejectedValue(new Error('Failed to fetch'));
  delivery.submit(aFinishedGame('g'));
  await settle();
  expect(delivery.getSnapshot()).toMatchObject({ late: true });
  await jest.advanceTimersByTimeAsync(5_000);
  expect(finishGame).toHaveBeenCalledTimes(2);
  await jest.advanceTimersByTimeAsync(9_000);
  expect(finishGame).toHaveBeenCalledTimes(2);
  finishGame.mockResolvedValue(counted);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(outbox.list()).toEqual([]);
  expect(delivery.getSnapshot().late).toBe(false);
  expectWarning('Failed to fetch');
});

it.each<RefusalReason>(['too_fast', 'too_many_games'])('retries a game refused as %s', async (reason) => {
  const { delivery, outbox, finishGame } = aDelivery();
  finishGame.mockResolvedValueOnce(aRefusal(reason));
  delivery.submit(aFinishedGame('g'));
  await settle();
  expect(outbox.list()).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(outbox.list()).toEqual([]);
});

it.each<RefusalReason>([
  'ticket_invalid',
  'ticket_expired',
  'ticket_of_another_player',
  'illegal_move',
  'game_unfinished',
])('drops a game refused as %s with a notice and sends the next ones', async (reason) => {
  const { delivery, outbox, finishGame, onCounted } = aDelivery();
  outbox.add(aFinishedGame('behind', 2));
  finishGame.mockResolvedValueOnce(aRefusal(reason));
  delivery.submit(aFinishedGame('g', 1));
  await settle();
  expect(outbox.list()).toEqual([]);
  expect(onCounted).toHaveBeenCalledTimes(1);
  expect(delivery.getSnapshot().dropped).toBe(reason);
  delivery.dismissDropped();
  expect(delivery.getSnapshot().dropped).toBeNull();
  expectWarning(`Because ${reason}`);
});

it.each([
  ['is not retried', false],
  ['is retried when the page is used again', true],
])('a game that fails after the page has closed %s', async (_, usedAgain) => {
  const { delivery, finishGame } = aDelivery();
  let fail: (problem: Error) => void = () => undefined;
  finishGame.mockReturnValueOnce(new Promise((_, reject) => (fail = reject)));
  finishGame.mockRejectedValueOnce(new Error('offline'));
  delivery.submit(aFinishedGame('g'));
  delivery.close();
  // React's strict mode unmounts and mounts again.
  if (usedAgain) void delivery.send();
  fail(new Error('offline'));
  await jest.advanceTimersByTimeAsync(600_000);
  expect(finishGame).toHaveBeenCalledTimes(usedAgain ? 3 : 1);
  expectWarning('offline');
});
