import { createGamesMonth } from './create-games-month.js';
import { createGamesMonths } from './create-games-months.js';
import { refuseChangeOfAudit } from './refuse-change-of-audit.js';

/** Every function of the database with its current text, by its name and the types of its parameters. */
export const functions: Readonly<Record<string, string>> = {
  'create_games_month(text, timestamptz, timestamptz)': createGamesMonth,
  'create_games_months(timestamptz)': createGamesMonths,
  'refuse_change_of_audit()': refuseChangeOfAudit,
};
