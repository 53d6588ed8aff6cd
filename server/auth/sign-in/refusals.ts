import { refusals } from '../../web/answers/refusals.js';

/** Why a sign-in fails. The browser goes to the page with the code, and the page has the sentence. */
export const signInRefusal = refusals({
  access_denied: { status: 403 },
  sign_in_expired: { status: 400, sentence: 'This sign-in has expired. Try again.' },
  too_many_sign_ins: { status: 429, sentence: 'Too many sign-ins from this address.' },
  provider_unavailable: { status: 503, sentence: 'The provider did not answer. Try again.' },
  // The page itself fetches the start of a link.
  sign_in_failed: { status: 400, sentence: 'This link could not begin. Try again.' },
});
