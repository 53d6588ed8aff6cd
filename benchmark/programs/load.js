/** Sends each of the given requests once over keep-alive connections and answers with how long they took (`fork`ed). */
import autocannon from 'autocannon';

process.on('message', async (message) => {
  const { urls, requests, connections, expect } = /** @type {import('../measure/load.js').Order} */ (message);
  /** @type {number[]} */
  const times = [];
  let last = 0;
  let began = 0;
  const send = async (/** @type {string} */ url, /** @type {typeof requests} */ share) => {
    let client = 0;
    const own = connections / urls.length;
    const result = await autocannon({
      url,
      connections: own,
      amount: share.length,
      sampleInt: 50,
      timeout: 30,
      verifyBody: (body) => String(body).includes(expect),
      setupClient: (/** @type {autocannon.Client} */ connection) => {
        const number = client++;
        connection.setRequests(share.filter((_request, at) => at % own === number));
        connection.on('response', (_status, _bytes, milliseconds) => {
          times.push(milliseconds);
          last = performance.now();
        });
        // The connections are made once all of them are set up.
        began = performance.now();
      },
    });
    const { mismatches } = /** @type {{ mismatches: number }} */ (/** @type {unknown} */ (result));
    return result.errors + result.timeouts + result.non2xx + mismatches;
  };
  const shares = urls.map((url, server) =>
    send(
      url,
      requests.filter((_request, at) => at % urls.length === server),
    ),
  );
  const failed = (await Promise.all(shares)).reduce((sum, one) => sum + one, 0);
  process.send?.({ seconds: (last - began) / 1_000, times, failed });
});
process.on('disconnect', () => process.exit(0));
