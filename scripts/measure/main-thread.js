/**
 * Reads a trace of Chromium: the long tasks of the page's main thread, and the work that each of them consists of.
 *
 * @typedef {{ documentLoaderURL?: string, functionName?: string, url?: string, type?: string }} Details
 * @typedef {{ name: string, ph: string, pid: number, tid: number, ts: number, dur?: number,
 *   args?: { data?: Details, fileName?: string } }} TraceEvent `ts` and `dur` in microseconds
 * @typedef {{ at: number, duration: number, causes: string[] }} Task milliseconds, `at` since the navigation; the largest
 *   cause first
 */

/** The work that a task can consist of. The time of other events belongs to the work around them. */
const WORK = new Map([
  ['EvaluateScript', 'evaluate'],
  ['v8.evaluateModule', 'evaluate'],
  ['v8.compile', 'compile'],
  ['v8.compileModule', 'compile'],
  ['FunctionCall', 'call'],
  ['RunMicrotasks', 'microtasks'],
  ['TimerFire', 'timer'],
  ['EventDispatch', 'event'],
  ['FireAnimationFrame', 'frame callback'],
  ['FireIdleCallback', 'idle callback'],
  ['ParseHTML', 'parse HTML'],
  ['ParseAuthorStyleSheet', 'parse styles'],
  ['UpdateLayoutTree', 'style'],
  ['Layout', 'layout'],
  ['PrePaint', 'pre-paint'],
  ['Paint', 'paint'],
  ['Layerize', 'layerize'],
  ['Commit', 'commit'],
  ['MinorGC', 'collect garbage'],
  ['MajorGC', 'collect garbage'],
  ['V8.GC_HEAP_EPILOGUE', 'collect garbage'],
]);

const SHOWN_CAUSES = 4;

/**
 * Returns the tasks after the navigation to this origin that took longer than so many milliseconds, the longest first.
 * @param {readonly TraceEvent[]} events
 * @param {string} origin
 * @param {number} limit
 * @returns {Task[]}
 */
export function longTasks(events, origin, limit) {
  const start = events.find(
    ({ name, args }) => name === 'navigationStart' && args?.data?.documentLoaderURL?.startsWith(origin),
  );
  if (!start) throw new Error(`The trace has no navigation to ${origin}.`);
  const ours = events
    .filter(({ ph, pid, tid, ts }) => ph === 'X' && pid === start.pid && tid === start.tid && ts >= start.ts)
    .toSorted((one, other) => one.ts - other.ts || endOf(other) - endOf(one));
  return ours
    .filter(({ name, dur = 0 }) => name === 'RunTask' && dur / 1000 > limit)
    .map((task) => ({
      at: (task.ts - start.ts) / 1000,
      duration: (task.dur ?? 0) / 1000,
      causes: causesOf(ours.filter((event) => event.ts >= task.ts && endOf(event) <= endOf(task))),
    }))
    .toSorted((one, other) => other.duration - one.duration);
}

/** @param {Task} task */
export function describeTask({ at, duration, causes }) {
  return `${duration.toFixed(1)} ms at ${Math.round(at)} ms: ${causes.join(', ')}`;
}

const endOf = (/** @type {TraceEvent} */ { ts, dur = 0 }) => ts + dur;

/** Sums up the own time of each kind of work. The events are in order, an outer one before its inner ones. */
function causesOf(/** @type {readonly TraceEvent[]} */ events) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  const add = (/** @type {string} */ cause, /** @type {number} */ time) =>
    sums.set(cause, (sums.get(cause) ?? 0) + time / 1000);
  /** @type {{ cause: string, end: number }[]} */
  const around = [];
  for (const event of events) {
    const work = WORK.get(event.name);
    if (!work || !event.dur) continue;
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= event.ts) around.pop();
    const outer = around.at(-1);
    if (outer) add(outer.cause, -event.dur);
    const cause = [work, detailOf(event)].filter(Boolean).join(' ');
    add(cause, event.dur);
    around.push({ cause, end: endOf(event) });
  }
  return [...sums]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, SHOWN_CAUSES)
    .filter(([, time]) => time >= 0.1)
    .map(([cause, time]) => `${cause} ${time.toFixed(1)} ms`);
}

/** The function, the event or the file. */
function detailOf(/** @type {TraceEvent} */ { args }) {
  const { functionName, type, url = args?.fileName } = args?.data ?? {};
  return functionName || type || url?.slice(url.lastIndexOf('/') + 1);
}
