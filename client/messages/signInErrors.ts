import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** Why a sign-in has failed, by the code of the server. */
export const SIGN_IN_ERRORS: Readonly<Record<string, MessageDescriptor>> = {
  access_denied: msg`Sign-in cancelled. Nothing was shared.`,
  account_banned: msg`This account is banned.`,
  sign_in_expired: msg`This sign-in has expired. Try again.`,
  provider_unavailable: msg`The sign-in service isn't answering. Try again in a few minutes.`,
  foreign_code: msg`That sign-in began in another tab. Sign in from here.`,
  too_many_sign_ins: msg`Too many sign-ins from your network. Wait a minute and try again.`,
};
