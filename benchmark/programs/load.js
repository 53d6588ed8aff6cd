/** Sends each of the given requests once over keep-alive connections and answers with how long they took (`fork`ed). */
import autocannon from 'autocannon';

process.on('message', async (order) => {
  const { url, requests, connections, expect } = /** @type {import('../load.js').Order} */ (order);
  /** @type {number[]} */
  const times = [];
  let client = 0;
  let last = 0;
  let began = 0;
  const result = await autocannon({
    url,
    connections,
    amount: requests.length,
    sampleInt: 50,
    timeout: 30,
    verifyBody: (body) => String(body).includes(expect),
    setupClient: (/** @type {autocannon.Client} */ connection) => {
      const own = client++;
      connection.setRequests(requests.filter((_request, at) => at % connections === own));
      connection.on('response', (_status, _bytes, milliseconds) => {
        times.push(milliseconds);
        last = performance.now();
      });
      // The connections are made once all of them are set up.
      began = performance.now();
    },
  });
  const { errors, timeouts, non2xx } = result;
  const mismatches = /** @type {{ mismatches: number }} */ (/** @type {unknown} */ (result)).mismatches;
  process.send?.({ seconds: (last - began) / 1_000, times, failed: errors + timeouts + non2xx + mismatches });
});
process.on('disconnect', () => process.exit(0));
