/** Whether the player's system asks for less motion. Values then change at once. */
export function isMotionReduced(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
