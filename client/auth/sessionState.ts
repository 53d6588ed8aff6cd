import type { Player } from './player.js';

export type SessionState =
  | { readonly phase: 'loading'; readonly player: null }
  /** An auth result in the address is being processed. A player who is signed in stays so meanwhile. */
  | { readonly phase: 'processing'; readonly player: Player | null }
  | {
      readonly phase: 'signed out';
      readonly player: null;
      readonly error: string | null;
      readonly redirecting: boolean;
    }
  | { readonly phase: 'signed in'; readonly player: Player }
  /** The session has ended elsewhere, and its player still looks at a game here. */
  | { readonly phase: 'ended'; readonly player: Player };

export type SessionEvent = 'signed in' | 'signed out' | 'token refreshed' | 'user updated';
