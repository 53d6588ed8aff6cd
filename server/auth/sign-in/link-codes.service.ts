import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Refusals } from '../../web/answers/refusals.js';
import type { RequestContext } from '../../web/requests/request-context.js';
import { emailOf, nameOf, type Profile, type ProviderName } from '../players/player.js';
import { LiveSessions } from '../sessions/live-sessions.js';
import type { ActingPlayer, SignedInPlayer } from '../sessions/session.js';
import { type PendingSignIn, Seals } from './sign-in-cookies.js';
import { SignInCodesService } from './sign-in-codes.service.js';
import { SignInFailed } from './sign-in-failed.js';

const LIFETIME_SECONDS = 300;
const MAX_LENGTH = 4_000;

/** An identity whose owner has signed in at its provider, for the session that asked for it. */
export interface ProvenIdentity {
  readonly provider: ProviderName;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly email: string | null;
}

type Content = ProvenIdentity & SignedInPlayer;

/**
 * One-use codes that carry a proven identity from the callback to the page. Only the session that began the link can use
 * its code.
 */
@Injectable()
export class LinkCodesService {
  constructor(
    private readonly codes: SignInCodesService,
    private readonly sessions: LiveSessions,
    private readonly seals: Seals,
    private readonly refusals: Refusals,
  ) {}

  /** @throws {SignInFailed} when the session has ended meanwhile, or the link has a code already */
  async issue(
    profile: Profile,
    link: SignedInPlayer,
    pending: PendingSignIn,
    request: RequestContext,
  ): Promise<string> {
    if (!(await this.sessions.isLive(link))) throw new SignInFailed('sign_in_expired');
    const { provider, issuer, subject } = profile;
    const { playerId, sessionId } = link;
    const name = nameOf(profile);
    const content: Content = { provider, issuer, subject, name, email: emailOf(profile), playerId, sessionId };
    const code = await this.seals.seal('link-code', content, LIFETIME_SECONDS);
    await this.codes.store({ code: textOf(code), playerId, pending, lifetime: LIFETIME_SECONDS * 1000 }, request);
    return code;
  }

  /** @returns undefined when the code is forged, expired, or of another session */
  async open(code: string, { playerId, sessionId, request }: ActingPlayer): Promise<ProvenIdentity | undefined> {
    const content = code.length <= MAX_LENGTH ? await this.seals.open<Content>('link-code', code) : undefined;
    if (content && content.playerId === playerId && content.sessionId === sessionId) return content;
    if (content) this.refusals.note({ event: 'link_refused', reason: 'foreign_code' }, request);
    return undefined;
  }

  /** @returns false when the code was spent before */
  spend(code: string, link: SignedInPlayer, transaction: EntityManager): Promise<boolean> {
    return this.codes.spendOnce(textOf(code), link.playerId, challengeOf(link), transaction);
  }
}

/** The challenge of a link: its session takes the place of the verifier. */
export function challengeOf({ sessionId }: SignedInPlayer): string {
  return createHash('sha256').update(sessionId).digest('base64url');
}

/** Differs from the text of every sign-in code, so that a link code never begins a session. */
function textOf(code: string): string {
  return `link ${code}`;
}
