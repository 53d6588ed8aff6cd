/**
 * `npm run responsiveness` injects this script into the page and calls `presses.next()` and `presses.botHasAnswered()`.
 */
/** @typedef {{ duration: number, work: number }} Press milliseconds until the next paint, and the part of our event handlers */

/** @returns {Promise<Press>} the durations of the next press */
function next() {
  return new Promise((resolve) => {
    let slowest = { duration: 0, work: 0 };
    const observer = new PerformanceObserver((list) => {
      let ended = false;
      for (const entry of /** @type {PerformanceEventTiming[]} */ (list.getEntries())) {
        const { name, duration, processingStart, processingEnd } = entry;
        if (!Reflect.get(entry, 'interactionId')) continue;
        if (duration > slowest.duration) slowest = { duration, work: processingEnd - processingStart };
        ended ||= name === 'click' || name === 'keyup';
      }
      if (!ended) return;
      observer.disconnect();
      resolve(slowest);
    });
    observer.observe(/** @type {PerformanceObserverInit} */ ({ type: 'event', durationThreshold: 16 }));
    // The browser does not report very short events, so stop waiting after 300 ms.
    addEventListener('keyup', () => setTimeout(() => resolve(slowest), 300), { once: true });
    addEventListener('click', () => setTimeout(() => resolve(slowest), 300), { once: true });
  });
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
