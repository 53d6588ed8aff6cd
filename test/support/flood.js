/**
 * Sends requests as fast as it can until its address is refused or the time is up, and returns how many requests had which
 * status. It runs in a process of its own, so that it does not slow down the measuring one.
 */
import { Agent, request } from 'node:http';

process.once('message', async (order) => {
  const { origin, address, attacks, connections, seconds } = /** @type {Order} */ (order);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + seconds * 1000;
  /** @type {Record<string, number>} */
  const statuses = {};
  let sent = 0;
  const worker = async () => {
    while (performance.now() < end) {
      const attack = /** @type {Attack} */ (attacks[sent % attacks.length]);
      sent += 1;
      const status = await send(new URL(attack.path, origin), attack.body?.replaceAll('UNIQUE', `u${sent}`));
      statuses[status] = (statuses[status] ?? 0) + 1;
      // The allowance is used up.
      if (status === '429') return;
    }
  };
  /** @param {URL} url @param {string | undefined} body @returns {Promise<string>} */
  const send = (url, body) =>
    new Promise((done) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
      const sending = request(url, { agent, method: body ? 'POST' : 'GET', headers }, (response) => {
        response.resume().once('end', () => done(String(response.statusCode)));
      });
      sending.once('error', () => done('broken'));
      sending.end(body);
    });
  await Promise.all(Array.from({ length: connections }, worker));
  process.send?.({ statuses });
  process.disconnect();
});

/**
 * @typedef {{ path: string, body?: string }} Attack
 * @typedef {{ origin: string, address: string, attacks: Attack[], connections: number, seconds: number }} Order
 */
