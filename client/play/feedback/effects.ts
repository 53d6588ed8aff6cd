/** Everything that only makes a move or a result felt: one separate chunk. */
export { burst } from './burst.js';
export { playSound } from './sounds.js';
export { vibrate } from './vibration.js';
