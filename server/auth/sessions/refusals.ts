import { refusals } from '../../web/answers/refusals.js';

/** The refusals of sessions and tokens. */
export const sessionRefusal = refusals({
  no_session: { status: 401, sentence: 'No session found.' },
  account_deleted: { status: 401, sentence: 'The account of this browser is deleted.' },
  token_unknown: { status: 401, sentence: 'This is not a token of this server. Check that it is complete.' },
  token_ended: { status: 401, sentence: 'This token is past its end. Make a new one at /playground.' },
  token_revoked: { status: 401, sentence: 'This token was revoked. Make a new one at /playground.' },
  player_banned: { status: 401, sentence: 'The player of this token is banned.' },
  insufficient_scope: { status: 403, sentence: 'This needs a token with another scope.' },
  token_not_accepted: { status: 403, sentence: 'No personal token may do this. It needs a sign-in in the browser.' },
  recent_sign_in_required: {
    status: 403,
    sentence: 'This needs a sign-in from the last ten minutes. Sign in again, then repeat it.',
  },
  too_many_tokens: { status: 409, sentence: 'You have too many tokens, or have made too many in a day.' },
});
