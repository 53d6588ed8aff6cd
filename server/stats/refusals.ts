import { refusals } from '../web/answers/refusals.js';

/** The refusals of reported results. */
export const reportRefusal = refusals({
  other_player: {
    status: 403,
    sentence: 'userId must be the id of the signed-in player: this one belongs to somebody else.',
  },
  reports_rejected: {
    status: 403,
    sentence: 'This server counts only verified games: play with the GraphQL mutations startGame and finishGame.',
  },
  key_of_another_request: {
    status: 422,
    sentence: 'This Idempotency-Key was already used for another result: use a new key.',
  },
  voided: { status: 422, sentence: 'The game of this Idempotency-Key was voided: it does not count.' },
  too_many_games: {
    status: 429,
    sentence: 'You have finished too many games within one minute. Send this result again in a minute.',
  },
  too_many_games_today: { status: 429, sentence: 'You have reached the limit of games for today.' },
});
