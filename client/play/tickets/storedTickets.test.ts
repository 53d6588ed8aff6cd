import { beforeEach, expect, it } from '@jest/globals';
import { StoredTickets } from './storedTickets.js';
import type { Ticket } from './ticket.js';

const ticket: Ticket = { gameId: 'g1', difficulty: 'hard', seed: 's', token: 't', expiresAt: '2030-01-01T00:00:00Z' };

beforeEach(() => localStorage.clear());

it('keeps a ticket across reloads', () => {
  new StoredTickets('p-ada').set('hard', ticket);
  expect(new StoredTickets('p-ada').get('hard')).toEqual(ticket);
  expect(new StoredTickets('p-ada').get('easy')).toBeUndefined();
});

it('removes a taken ticket for all tabs', () => {
  const [one, other] = [new StoredTickets('p-ada'), new StoredTickets('p-ada')];
  one.set('hard', ticket);
  one.delete('hard');
  expect(other.get('hard')).toBeUndefined();
});

it('separates the tickets of different players', () => {
  new StoredTickets('p-ada').set('hard', ticket);
  expect(new StoredTickets('p-bea').get('hard')).toBeUndefined();
});

it('ignores an invalid entry', () => {
  localStorage.setItem('tic-tac-toe.ticket.p-ada.hard', '{');
  expect(new StoredTickets('p-ada').get('hard')).toBeUndefined();
});

it('keeps a ticket in memory when the storage is full', () => {
  const full = { getItem: () => null, removeItem: () => undefined, setItem: () => fail() } as unknown as Storage;
  const stock = new StoredTickets('p-ada', full);
  stock.set('hard', ticket);
  expect(stock.get('hard')).toEqual(ticket);
  stock.delete('hard');
  expect(stock.get('hard')).toBeUndefined();
});

function fail(): never {
  throw new DOMException('full', 'QuotaExceededError');
}
