/**
 * Loaded before the server (`node --import`), so that a test can move its clock through the channel between the two:
 * the product has no switch for it.
 */
const { now } = Date;
let shift = 0;

globalThis.Date = new Proxy(Date, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now() + shift] : given),
  get: (target, name) => (name === 'now' ? () => now() + shift : Reflect.get(target, name)),
});

process.on('message', (message) => {
  const { moveClock } = /** @type {{ moveClock?: number }} */ (message);
  if (moveClock === undefined) return;
  shift += moveClock;
  process.send?.({ clockMoved: shift });
});
// Listening must not keep a server alive that was asked to stop.
process.channel?.unref();
// Nor may it outlive the tests that started it.
process.once('disconnect', () => process.exit());
