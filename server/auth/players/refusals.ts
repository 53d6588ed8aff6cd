import { refusals } from '../../web/answers/refusals.js';

/** The refusals of players. */
export const playerRefusal = refusals({
  account_banned: { status: 403 },
});
