import { Listeners } from '../ui/listen.js';

/** Hear that the server answers again. */
export const serverAnswered = new Listeners();
