/**
 * Loaded before the server (`node --import`), so that a test can move and stop the time through the channel between the
 * two: the product has no switch for it. The time of the database moves with it.
 */
import { createRequire } from 'node:module';

const { now } = Date;
/**
 * `skew`: by how many milliseconds the clock of this server's machine is wrong.
 * @type {{ shift: number, skew: number, stoppedAt?: number }}
 */
let clock = JSON.parse(process.env.TEST_CLOCK ?? '{"shift":0,"skew":0}');
const trueTime = () => (clock.stoppedAt ?? now()) + clock.shift;
const time = () => trueTime() + clock.skew;

globalThis.Date = new Proxy(Date, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [time()] : given),
  get: (target, name) => (name === 'now' ? time : Reflect.get(target, name)),
});

// The one that the server uses: another build has packages of its own.
const pg = /** @type {typeof import('pg')} */ (createRequire(process.argv[1] ?? import.meta.url)('pg'));
const { query } = pg.Client.prototype;
/** @type {(this: import('pg').Client, ...given: any[]) => any} */
const queryInTime = function (...given) {
  const asksForTime =
    typeof given[0] === 'string' && given[0].startsWith('SELECT extract(epoch FROM clock_timestamp())');
  if (asksForTime) given[0] = `SELECT ${trueTime()}::float8 AS now`;
  return Reflect.apply(query, this, given);
};
Object.assign(pg.Client.prototype, { query: queryInTime });

process.on('message', (message) => {
  const { id, setClock } = /** @type {{ id?: string, setClock?: typeof clock }} */ (message);
  if (!setClock) return;
  clock = setClock;
  process.send?.({ id });
});
// Listening must not keep a server alive that was asked to stop.
process.channel?.unref();
// A server must not outlive the tests that started it.
process.once('disconnect', () => process.exit());
