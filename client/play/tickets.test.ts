import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { aTicket } from '../testing/game.js';
import { DayLimit, storedTickets, Tickets, type FetchTicket, type Ticket } from './tickets.js';

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
});
afterEach(() => void jest.useRealTimers());

let number = 0;

function someTickets() {
  const fetchTicket = jest.fn<FetchTicket>(async (difficulty): Promise<Ticket> => {
    number += 1;
    return aTicket({ gameId: `g${number}`, difficulty });
  });
  return { fetchTicket, tickets: new Tickets(fetchTicket, storedTickets('p-ada'), new DayLimit('p-ada')) };
}

const settle = () => jest.advanceTimersByTimeAsync(0);

it('prefetches one ticket per difficulty, starting with the one needed now', async () => {
  const { tickets, fetchTicket } = someTickets();
  await tickets.stockUp('medium');
  expect(fetchTicket.mock.calls.map(([difficulty]) => difficulty)).toEqual(['medium', 'easy', 'hard']);
});

it('stops retries after close, until the next stockUp', async () => {
  const { tickets, fetchTicket } = someTickets();
  fetchTicket.mockResolvedValue(null);
  tickets.take('hard');
  tickets.close();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(fetchTicket).toHaveBeenCalledTimes(1);
  void tickets.stockUp('hard');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(fetchTicket.mock.calls.length).toBeGreaterThan(4);
});

it('discards a ticket that arrives after close', async () => {
  const { tickets, fetchTicket } = someTickets();
  let answer: (ticket: Ticket) => void = () => undefined;
  fetchTicket.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  tickets.take('hard');
  tickets.close();
  answer(aTicket());
  await settle();
  expect(tickets.has('hard')).toBe(false);
});

it('does not return a ticket that is about to expire', async () => {
  const { tickets } = someTickets();
  await tickets.stockUp('easy');
  jest.setSystemTime(Date.now() + 3_590_000);
  expect(tickets.has('easy')).toBe(false);
  expect(tickets.take('easy')).toBeNull();
});
