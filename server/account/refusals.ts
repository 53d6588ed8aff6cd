import { refusals } from '../web/answers/refusals.js';

/** The refusals of links, deletions and exports. */
export const accountRefusal = refusals({
  last_identity: { status: 403, sentence: 'This is your only sign-in method. Link another one first.' },
  export_under_way: {
    status: 429,
    sentence: 'Your data is being downloaded already. Try again when that download has ended.',
  },
  too_many_exports: {
    status: 429,
    sentence: 'Several players are downloading their data at the moment. Try again in a minute.',
  },
  link_expired: { status: 409 },
  already_linked: { status: 409 },
  provider_linked: { status: 409 },
  has_own_player: { status: 409 },
  identity_changed: { status: 409 },
  account_not_linkable: { status: 409 },
});
