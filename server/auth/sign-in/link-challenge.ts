import { createHash } from 'node:crypto';
import type { SignedInPlayer } from '../sessions/signed-in.js';

/** The challenge of a link: its session takes the place of the verifier. */
export function challengeOf({ sessionId }: SignedInPlayer): string {
  return createHash('sha256').update(sessionId).digest('base64url');
}
