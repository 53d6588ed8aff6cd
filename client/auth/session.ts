import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Listeners } from '../ui/listen.js';
import { LOADING_LIMIT_MS } from '../ui/time/clock.js';
import { Refused, serverAnswered } from '../data/refused.js';
import { providerFor, signInPath } from '../data/settings.js';
import type { Player, Provider } from '../data/player.js';
import { clearDeletedPlayer } from '../data/playerStorage.js';
import { createTabs, type Tabs } from '../data/tabs.js';
import { createAuthApi, type AuthApi, type Grant, type SessionLoss } from './authApi.js';
import {
  authResult,
  BLOCKED,
  startPkce,
  signInError,
  isSignInPending,
  takeAddress,
  takeVerifier,
  type AuthResult,
} from './signIn.js';
import { browserPage, isBlocked, lastPlayer, type Page } from './page.js';
import { Tokens } from './tokens.js';

const CALLBACK_WAIT_MS = 100;
const LOGOUT_REDIRECT_MS = 100;
const REDIRECT_LIMIT_MS = 10_000;

const UNREACHABLE = msg`Can't reach the server. Check your connection and try again.`;

export type SessionState =
  | { readonly phase: 'loading'; readonly player: null }
  /** The page processes an auth result. A signed-in player stays signed in. */
  | { readonly phase: 'processing'; readonly player: Player | null }
  | {
      readonly phase: 'signed out';
      readonly player: null;
      readonly error: MessageDescriptor | null;
      readonly redirecting: boolean;
    }
  | { readonly phase: 'signed in'; readonly player: Player }
  /** The session has ended, but a game is still on the board. */
  | { readonly phase: 'ended'; readonly player: Player };

/** 'no session' instead of 'signed out': the page knew of no player whose session could end. */
export type SessionEvent = 'signed in' | 'signed out' | 'no session' | 'token refreshed' | 'user updated';

export interface Dependencies {
  readonly api: AuthApi;
  readonly page: Page;
  readonly tabs: Tabs;
}

/** The sign-in state of this page. It lives outside React, which subscribes to it. */
export class Session {
  private state: SessionState = { phase: 'loading', player: null };
  private readonly api: AuthApi;
  private readonly page: Page;
  private readonly tabs: Tabs;
  private readonly tokens: Tokens;
  private redirectTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly subscribers = new Listeners();
  private readonly listeners = new Listeners<SessionEvent>();
  private gameOnBoard = false;
  private endedMessage: MessageDescriptor | null = null;

  constructor({ api, page, tabs }: Partial<Dependencies> = {}) {
    this.api = api ?? createAuthApi((...call) => window.fetch(...call));
    this.page = page ?? browserPage;
    this.tabs = tabs ?? createTabs();
    this.tokens = new Tokens(this.api, this.tabs, {
      onGrant: (grant) => this.handleGrant(grant),
      onSessionLost: (reason) => this.handleSessionLost(reason),
    });
  }

  readonly getSnapshot = (): SessionState => this.state;

  readonly subscribe = this.subscribers.add;
  readonly on = this.listeners.add;

  /** While a game is on the board, the end of the session does not take the player away from it. */
  readonly setGameOnBoard = (gameOnBoard: boolean): void => void (this.gameOnBoard = gameOnBoard);

  /** Leaves the board of an ended session for the login screen. */
  readonly toLoginScreen = (): void => this.signedOut(this.endedMessage);

  /** See `Tokens.token`. For a player who is offline, tries to load the session first. */
  async token(refused?: string): Promise<string | null> {
    if (this.isOffline) await this.load();
    return this.tokens.token(refused);
  }

  /** Fetches the player again, who has changed. */
  readonly renew = (): Promise<void> => this.tokens.refresh();

  /** Lets the page preload the game while it still checks the session. */
  get wasSignedIn(): boolean {
    return lastPlayer.get() !== null;
  }

  /** Loads the session, then reacts to other tabs, the network and sleep. */
  async start(): Promise<void> {
    this.tabs.onMessage((message) => {
      if (message === 'signed in') void this.load();
      else this.signedOut(message === 'signed out' ? null : msg`Your account is deleted.`);
    });
    window.addEventListener('hashchange', () => void this.processResult());
    window.addEventListener('online', () => this.wakeUp());
    document.addEventListener('visibilitychange', () => void (document.hidden || this.wakeUp()));
    // The Back button restores this page from the browser's cache with its old state.
    window.addEventListener('pageshow', ({ persisted }) => void (persisted && this.load()));

    const limit = setTimeout(() => this.giveUpLoading(), LOADING_LIMIT_MS);
    if (!(await this.processResult())) await this.load();
    clearTimeout(limit);
  }

  async signIn(provider: Provider): Promise<void> {
    // Ignore pending answers about the old session.
    this.tokens.clear();
    if (isBlocked()) return this.signedOut(BLOCKED);
    this.setState({ phase: 'signed out', player: null, error: null, redirecting: true });
    try {
      await this.goToProvider(provider, new URL(this.page.href()).searchParams.get('return_to'));
      // If the redirect fails, this page stays and the player can try again.
      if (this.isRedirecting()) this.redirectTimer = setTimeout(() => this.signedOut(), REDIRECT_LIMIT_MS);
    } catch {
      this.signedOut(msg`Login failed. Please try again.`);
    }
  }

  /**
   * Signs in again for actions that need a recent sign-in. The player stays signed in until the new session starts.
   * @param returnTo the address on this page to return to
   */
  async reauthenticate(provider: string, returnTo: string): Promise<void> {
    await this.goToProvider(providerFor(provider), returnTo);
  }

  private async goToProvider(provider: Provider, returnTo: string | null): Promise<void> {
    // Otherwise the browser would leave for an error page of its own.
    await this.api.reach();
    const { pathname, search } = new URL(this.page.href());
    const challenge = await startPkce(returnTo ? '/' : pathname + search);
    const parameters = new URLSearchParams({ code_challenge: challenge, code_challenge_method: 'S256' });
    if (returnTo) parameters.set('return_to', returnTo);
    this.page.goTo(`${signInPath(provider)}?${parameters}`);
  }

  /** Rejects when the server cannot be reached. The player stays signed in, because the cookie stays valid. */
  async signOut(): Promise<void> {
    await this.api.signOut();
    this.leave();
  }

  /**
   * Ends the session here after the server has ended it.
   * @param reason what the login screen says about it, which then stays instead of loading anew
   */
  leave(reason: MessageDescriptor | null = null): void {
    this.signedOut(reason);
    this.tabs.broadcast(reason ? 'account_deleted' : 'signed out');
    if (reason) return this.page.clean();
    // A new sign-in may already redirect to a provider.
    setTimeout(() => this.isRedirecting() || this.page.goTo('/'), LOGOUT_REDIRECT_MS);
  }

  private async load(error: MessageDescriptor | null = null): Promise<void> {
    try {
      await this.tokens.refresh();
      if (!this.tokens.grant && error && !this.isRedirecting()) this.signedOut(error);
    } catch {
      if (!this.tokens.grant && !this.isOffline) this.goOffline(error ?? UNREACHABLE);
    }
  }

  /** True for a player who plays without a session because the server cannot be reached. */
  private get isOffline(): boolean {
    return this.state.phase === 'signed in' && !this.tokens.grant;
  }

  /** Without the server, the last player can still practise. A late answer replaces this state. */
  private goOffline(error: MessageDescriptor | null): void {
    const player = lastPlayer.get();
    if (player) this.setState({ phase: 'signed in', player });
    else this.setState({ phase: 'signed out', player: null, error, redirecting: false });
  }

  /** Returns true when the address held an auth result. */
  private async processResult(): Promise<boolean> {
    const result = authResult(this.page.href());
    if (!result) return false;
    this.setState({ phase: 'processing', player: this.state.player });
    await new Promise((resolve) => setTimeout(resolve, CALLBACK_WAIT_MS));
    this.page.clean(result.kind === 'nothing' ? result.address : takeAddress());
    const error = await this.accept(result);
    const { grant } = this.tokens;
    // A failed sign-in does not end the existing session.
    if (grant) this.setState({ phase: 'signed in', player: grant.player });
    else await this.load(error);
    if (!this.tokens.grant) console.info('No session found');
    return true;
  }

  /** Returns an error message for the player, or null. */
  private async accept(result: AuthResult): Promise<MessageDescriptor | null> {
    if (result.kind === 'nothing') return null;
    const isPending = isSignInPending();
    const verifier = takeVerifier();
    if (!verifier && isBlocked()) return BLOCKED;
    if (result.kind === 'error') {
      // A recent sign-in that the server does not find points to a lost cookie.
      return result.error === 'sign_in_expired' && isPending
        ? msg`Your browser blocked the sign-in cookie. Allow cookies here and try again.`
        : signInError(result.error);
    }
    if (!verifier) return signInError('foreign_code');
    try {
      const { grant, returnTo } = await this.api.exchange(result.code, verifier);
      const isHere = returnTo.startsWith('/?');
      // Set the address before the game opens and reads it.
      if (isHere) this.page.clean(returnTo);
      this.tokens.set(grant);
      this.tabs.broadcast('signed in');
      if (!isHere && returnTo !== '/') this.page.goTo(returnTo);
      return null;
    } catch (problem) {
      return problem instanceof Refused ? signInError(problem.code) : UNREACHABLE;
    }
  }

  private handleGrant({ player }: Grant): void {
    const before = this.state.player;
    const same = before !== null && JSON.stringify(before) === JSON.stringify(player);
    lastPlayer.set(player);
    this.setState({ phase: 'signed in', player: same ? before : player });
    this.listeners.tell(before ? 'token refreshed' : 'signed in');
    if (before && !same) this.listeners.tell('user updated');
    serverAnswered.tell();
  }

  private signedOut(error: MessageDescriptor | null = null): void {
    // An ended session has emitted its event before.
    const hasPlayer = this.state.player !== null || this.wasSignedIn;
    const event = this.state.phase === 'ended' ? null : hasPlayer ? 'signed out' : 'no session';
    this.tokens.clear();
    lastPlayer.clear();
    this.setState({ phase: 'signed out', player: null, error, redirecting: false });
    if (event) this.listeners.tell(event);
  }

  /** Handles a session that ended on the server or whose cookie is lost. */
  private handleSessionLost(reason: SessionLoss): void {
    if (reason === 'account_deleted') {
      // No game of the player can count any more. The cookie was that of the last sign-in, perhaps in another tab.
      clearDeletedPlayer(lastPlayer.get()?.id ?? '');
      this.signedOut(msg`Your account is deleted.`);
      return this.tabs.broadcast(reason);
    }
    const { player } = this.state;
    // If another tab found the end first, it has cleared the last player.
    const isLost = reason === 'no cookie' && lastPlayer.get() !== null;
    const withoutPlayer = isBlocked() ? BLOCKED : null;
    const ended = player || this.wasSignedIn ? msg`You've been signed out. Sign in again.` : withoutPlayer;
    this.endedMessage = isLost
      ? msg`Your browser lost your session cookie. Allow cookies here and sign in again.`
      : ended;
    if (!player || !this.gameOnBoard) return this.signedOut(this.endedMessage);
    this.tokens.clear();
    lastPlayer.clear();
    this.setState({ phase: 'ended', player });
    this.listeners.tell('signed out');
  }

  private giveUpLoading(): void {
    if (this.state.phase !== 'loading' && this.state.phase !== 'processing') return;
    console.warn('Auth loading timeout');
    this.goOffline(null);
  }

  private wakeUp(): void {
    this.tokens.wakeUp();
    if (this.isOffline || (this.state.phase === 'signed out' && this.state.error === UNREACHABLE)) void this.load();
  }

  private isRedirecting(): boolean {
    return this.state.phase === 'signed out' && this.state.redirecting;
  }

  private setState(state: SessionState): void {
    clearTimeout(this.redirectTimer);
    this.state = state;
    this.subscribers.tell();
  }
}
