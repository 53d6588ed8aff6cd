import { Observed } from '../../base/observed.js';
import type { SignInFailure } from './sign-in-failed.js';

/** A sign-in that has come back from its provider, or has failed. */
export interface SignInEnded {
  readonly provider: string;
  readonly outcome: 'signed_in' | SignInFailure;
}

export const signInsEnded = new Observed<SignInEnded>('sign-in.ended');
