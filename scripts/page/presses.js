/**
 * `npm run responsiveness` injects this script into the page and calls `presses.next()` and `presses.botHasAnswered()`.
 */
/**
 * @typedef {{ duration: number, delay: number, work: number, causes: string[] }} Press milliseconds until the next paint, the
 *   part before our event handlers and the part in them, and what the browser did in a frame of more than 50 ms
 * @typedef {PerformanceEntry & { styleAndLayoutStart: number, scripts: { duration: number, invoker: string,
 *   sourceFunctionName: string, forcedStyleAndLayoutDuration: number }[] }} LongFrame
 */

/** @type {LongFrame[]} */
const longFrames = [];
new PerformanceObserver((list) => void longFrames.push(.../** @type {LongFrame[]} */ (list.getEntries()))).observe({
  type: 'long-animation-frame',
});

/** @returns {Promise<Press>} the slowest event of the next press */
function next() {
  return new Promise((resolve) => {
    /** @type {PerformanceEventTiming | null} */
    let slowest = null;
    const finish = () => {
      observer.disconnect();
      resolve(slowest ? describe(slowest) : { duration: 0, delay: 0, work: 0, causes: [] });
    };
    const observer = new PerformanceObserver((list) => {
      let ended = false;
      for (const entry of /** @type {PerformanceEventTiming[]} */ (list.getEntries())) {
        if (!Reflect.get(entry, 'interactionId')) continue;
        if (!slowest || entry.duration > slowest.duration) slowest = entry;
        ended ||= entry.name === 'click' || entry.name === 'keyup';
      }
      // The report of the frame can follow that of its events.
      if (ended) setTimeout(finish, 50);
    });
    observer.observe(/** @type {PerformanceObserverInit} */ ({ type: 'event', durationThreshold: 16 }));
    // The browser does not report very short events, so stop waiting after 300 ms.
    addEventListener('keyup', () => setTimeout(finish, 300), { once: true, capture: true });
    addEventListener('click', () => setTimeout(finish, 300), { once: true, capture: true });
  });
}

/** @param {PerformanceEventTiming} entry @returns {Press} */
function describe({ startTime, duration, processingStart, processingEnd }) {
  const during = longFrames.filter(
    (frame) => frame.startTime < startTime + duration && frame.startTime + frame.duration > startTime,
  );
  return {
    duration,
    delay: processingStart - startTime,
    work: processingEnd - processingStart,
    causes: during.flatMap((frame) => [
      ...frame.scripts.map(
        ({ duration, invoker, sourceFunctionName, forcedStyleAndLayoutDuration: forced }) =>
          `${invoker} ${sourceFunctionName} ${duration.toFixed()} ms${forced ? ` (${forced.toFixed()} ms layout)` : ''}`,
      ),
      `style, layout and paint ${(frame.startTime + frame.duration - frame.styleAndLayoutStart).toFixed()} ms`,
    ]),
  };
}

/** @returns {Promise<boolean>} true when the game is over, false when it is the player's turn again */
function botHasAnswered() {
  return new Promise((resolve) => {
    const look = () => {
      const over = document.querySelector('.result') !== null;
      if (over || document.querySelector('[data-turn="X"]')) resolve(over);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    look();
  });
}

Object.assign(window, { presses: { next, botHasAnswered } });
