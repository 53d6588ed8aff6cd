import { createGamesMonth } from './create-games-month.js';
import { createGamesMonths } from './create-games-months.js';
import { refuseChangeOfAudit } from './refuse-change-of-audit.js';

/** Every function of the database. */
export const functions: readonly string[] = [createGamesMonth, createGamesMonths, refuseChangeOfAudit];
