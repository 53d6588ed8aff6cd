import { Observed } from '../base/observed.js';

/** Games that were counted by one statement. */
export const gameBatches = new Observed<{ readonly games: number }>('game.batch');
