import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { isMotionReduced } from '../ui/motion.js';

const ANIMATION = { duration: 360, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' };

/** Animates rows to their new positions and fades in new rows. `data-row` identifies a row. */
export function useRowAnimation(list: RefObject<HTMLElement | null>): void {
  const places = useRef(new Map<string, number>());

  useLayoutEffect(() => {
    const before = places.current;
    places.current = new Map();
    const still = before.size === 0 || isMotionReduced();
    // Not `offsetTop`, which follows the scroll position where a row is sticky.
    let top = 0;
    for (const row of list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []) {
      const owner = row.dataset.row ?? '';
      const place = top;
      places.current.set(owner, place);
      top += row.offsetHeight;
      if (still) continue;
      const from = before.get(owner);
      if (from === undefined) row.animate([{ opacity: 0 }, { opacity: 1 }], ANIMATION);
      else if (from !== place) row.animate([{ translate: `0 ${from - place}px` }, { translate: '0 0' }], ANIMATION);
    }
  });
}
