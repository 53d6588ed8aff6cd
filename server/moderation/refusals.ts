import { refusals } from '../web/answers/refusals.js';

/** The refusals of moderation. */
export const moderationRefusal = refusals({
  not_a_moderator: { status: 403, sentence: 'Only a moderator may do this.' },
  game_unknown: { status: 404 },
  name_not_visible: { status: 400 },
  name_decided: { status: 403 },
  too_many_names: { status: 429 },
  player_is_moderator: { status: 403 },
  player_unknown: { status: 404 },
});
