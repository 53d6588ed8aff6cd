/**
 * Loaded before the server (`node --import`), so that a test can move and stop its clock through the channel between the
 * two: the product has no switch for it.
 */
const { now } = Date;
/** @type {{ shift: number, stoppedAt?: number }} */
let clock = { shift: 0 };
const time = () => (clock.stoppedAt ?? now()) + clock.shift;

globalThis.Date = new Proxy(Date, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [time()] : given),
  get: (target, name) => (name === 'now' ? time : Reflect.get(target, name)),
});

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
