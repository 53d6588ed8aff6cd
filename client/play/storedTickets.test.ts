import { beforeEach, expect, it } from '@jest/globals';
import { StoredTickets } from './storedTickets.js';
import type { Ticket } from './ticket.js';

const ticket: Ticket = { gameId: 'g1', difficulty: 'hard', seed: 's', token: 't', expiresAt: '2030-01-01T00:00:00Z' };

beforeEach(() => localStorage.clear());

it('A ticket is still there when the page is opened again', () => {
  new StoredTickets('p-ada').set('hard', ticket);
  expect(new StoredTickets('p-ada').get('hard')).toEqual(ticket);
  expect(new StoredTickets('p-ada').get('easy')).toBeUndefined();
});

it('What one tab has taken, no other can take', () => {
  const [one, other] = [new StoredTickets('p-ada'), new StoredTickets('p-ada')];
  one.set('hard', ticket);
  one.delete('hard');
  expect(other.get('hard')).toBeUndefined();
});

it('A ticket is for the player who asked for it', () => {
  new StoredTickets('p-ada').set('hard', ticket);
  expect(new StoredTickets('p-bea').get('hard')).toBeUndefined();
});

it('What is not a ticket counts as none', () => {
  localStorage.setItem('tic-tac-toe.ticket.p-ada.hard', '{');
  expect(new StoredTickets('p-ada').get('hard')).toBeUndefined();
});

it('Without room in the storage it lasts as long as the page', () => {
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
