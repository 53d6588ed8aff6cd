import type { Player } from './player.js';

export type SessionState =
  | { readonly phase: 'loading'; readonly player: null }
  /** The page processes an auth result. A signed-in player stays signed in. */
  | { readonly phase: 'processing'; readonly player: Player | null }
  | {
      readonly phase: 'signed out';
      readonly player: null;
      readonly error: string | null;
      readonly redirecting: boolean;
    }
  | { readonly phase: 'signed in'; readonly player: Player }
  /** The session has ended, but a game is still on the board. */
  | { readonly phase: 'ended'; readonly player: Player };

/** 'no session' instead of 'signed out': the page knew of no player whose session could end. */
export type SessionEvent = 'signed in' | 'signed out' | 'no session' | 'token refreshed' | 'user updated';
