/**
 * Sends requests as fast as it can until the time is up, and returns how many requests had which status. It runs in a process
 * of its own, so that it does not slow down the measuring one.
 */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** The pause after a refusal. A faster sender would only measure how much a refusal costs. */
const AFTER_REFUSAL_MS = 100;

process.once('message', async (order) => {
  const { origin, addresses, attacks, connections, seconds, token } = /** @type {Order} */ (order);
  const agent = new Agent({ keepAlive: true, maxSockets: connections * addresses.length });
  const end = performance.now() + seconds * 1000;
  /** @type {Record<string, number>} */
  const statuses = {};
  let sent = 0;
  /** @param {string} address */
  const worker = async (address) => {
    while (performance.now() < end) {
      const attack = /** @type {Attack} */ (attacks[sent % attacks.length]);
      sent += 1;
      const status = await send(address, attack, sent);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === '429') await pause(AFTER_REFUSAL_MS);
    }
  };
  /** @param {string} address @param {Attack} attack @param {number} number @returns {Promise<string>} */
  const send = (address, attack, number) =>
    new Promise((done) => {
      const body = attack.body?.replaceAll('UNIQUE', `u${number}`);
      const headers = {
        ...(body && { 'content-type': 'application/json' }),
        'x-forwarded-for': address,
        ...(token && { authorization: `Bearer ${token}` }),
        ...attack.headers,
      };
      const url = new URL(attack.path, origin);
      const sending = request(url, { agent, method: body ? 'POST' : 'GET', headers }, (response) => {
        response.resume().once('end', () => done(String(response.statusCode)));
      });
      sending.once('error', () => done('broken'));
      sending.end(body);
    });
  await Promise.all(addresses.flatMap((address) => Array.from({ length: connections }, () => worker(address))));
  process.send?.({ statuses });
  process.disconnect();
});

/**
 * @typedef {{ path: string, body?: string, headers?: Record<string, string> }} Attack
 * @typedef {{ origin: string, addresses: string[], attacks: Attack[], connections: number, seconds: number, token?: string }} Order
 * Each address keeps so many connections. With a token the requests are signed in.
 */
