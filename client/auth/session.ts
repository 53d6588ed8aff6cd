import { messages } from '../messages/login.js';
import { Refused, createAuthApi } from './authApi.js';
import type { AuthApi, Grant } from './authApi.js';
import { authResult } from './authResult.js';
import type { AuthResult } from './authResult.js';
import { isBlocked } from './blocked.js';
import { lastPlayer } from './lastPlayer.js';
import { browserPage } from './page.js';
import type { Page } from './page.js';
import { isUnderWay, startPkce, takeVerifier } from './pkce.js';
import { PROVIDERS } from './player.js';
import type { Provider } from './player.js';
import { signInError } from './signInError.js';
import type { SessionEvent, SessionState } from './sessionState.js';
import { createTabs } from './tabs.js';
import type { Tabs } from './tabs.js';
import { Tokens } from './tokens.js';
import type { SessionLoss } from './tokens.js';

const CALLBACK_WAIT_MS = 100;
const LOADING_LIMIT_MS = 3000;
const LOGOUT_REDIRECT_MS = 100;
const REDIRECT_LIMIT_MS = 10_000;

export interface Dependencies {
  readonly api: AuthApi;
  readonly page: Page;
  readonly tabs: Tabs;
}

/** Who is signed in here. Lives outside React, which only watches it. */
export class Session {
  private state: SessionState = { phase: 'loading', player: null };
  private readonly api: AuthApi;
  private readonly page: Page;
  private readonly tabs: Tabs;
  private readonly tokens: Tokens;
  private redirectTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly subscribers = new Set<() => void>();
  private readonly listeners = new Set<(event: SessionEvent) => void>();
  private gameOnBoard = false;
  private endedMessage: string | null = null;

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

  readonly subscribe = (subscriber: () => void): (() => void) => {
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  };

  on(listener: (event: SessionEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** While a game is on the board, the end of the session does not take the player away from it. */
  readonly setGameOnBoard = (gameOnBoard: boolean): void => void (this.gameOnBoard = gameOnBoard);

  /** From the board of a session that has ended to the login screen. */
  readonly toLoginScreen = (): void => this.signedOut(this.endedMessage);

  /** See `Tokens.token`. Whoever is only remembered gets a session first, if the server can be reached by now. */
  async token(refused?: string): Promise<string | null> {
    if (this.isOffline) await this.load();
    return this.tokens.token(refused);
  }

  /** Lets the next visit fetch the game while the session is still being checked. */
  get wasSignedIn(): boolean {
    return lastPlayer.get() !== null;
  }

  /** Finds out who is signed in, and from then on notices what happens elsewhere: other tabs, the network, sleep. */
  async start(): Promise<void> {
    this.tabs.onMessage((message) => {
      if (message === 'signed out') this.signedOut();
      else void this.load();
    });
    window.addEventListener('hashchange', () => void this.processResult());
    window.addEventListener('online', () => this.wakeUp());
    document.addEventListener('visibilitychange', () => void (document.hidden || this.wakeUp()));
    // Back from the provider by the Back button: the page comes out of the browser's cache as it was left.
    window.addEventListener('pageshow', ({ persisted }) => void (persisted && this.load()));

    const limit = setTimeout(() => this.giveUpLoading(), LOADING_LIMIT_MS);
    if (!(await this.processResult())) await this.load();
    clearTimeout(limit);
  }

  async signIn(provider: Provider): Promise<void> {
    // What an answer still under way says about the session is no news to whoever is on the way to another.
    this.tokens.clear();
    if (isBlocked()) return this.signedOut(messages.auth.blocked);
    this.setState({ phase: 'signed out', player: null, error: null, redirecting: true });
    // Stopped, or no page came: then this one is still here, and may be tried again.
    this.redirectTimer = setTimeout(() => this.signedOut(), REDIRECT_LIMIT_MS);
    try {
      await this.goToProvider(provider, new URL(this.page.href()).searchParams.get('return_to'));
    } catch {
      this.signedOut(messages.auth.signInFailed);
    }
  }

  /**
   * For what the server only does after a recent sign-in. Until the new session is there the player stays signed in.
   * @param returnTo where on this page the player goes on afterwards
   */
  async reauthenticate(provider: string, returnTo: string): Promise<void> {
    await this.goToProvider(PROVIDERS.find((known) => known === provider) ?? PROVIDERS[0]!, returnTo);
  }

  private async goToProvider(provider: Provider, returnTo: string | null): Promise<void> {
    const parameters = new URLSearchParams({ code_challenge: await startPkce(), code_challenge_method: 'S256' });
    if (returnTo) parameters.set('return_to', returnTo);
    this.page.goTo(`/auth/${provider}?${parameters}`);
  }

  /** Rejects, and leaves the player signed in, when the server could not be told: its cookie would sign in again. */
  async signOut(): Promise<void> {
    await this.api.signOut();
    this.leave();
  }

  /** The player has left in another way, and the server has ended the session already. */
  leave(): void {
    this.signedOut();
    this.tabs.broadcast('signed out');
    // Who has begun to sign in again meanwhile is already on the way elsewhere.
    setTimeout(() => this.isRedirecting() || this.page.goTo('/'), LOGOUT_REDIRECT_MS);
  }

  private async load(error: string | null = null): Promise<void> {
    try {
      await this.tokens.refresh();
      if (!this.tokens.grant && error && !this.isRedirecting()) this.signedOut(error);
    } catch {
      if (!this.tokens.grant && !this.isOffline) this.goOffline(error ?? messages.auth.unreachable);
    }
  }

  /** A remembered player is at the game, and the server has not been reached yet. */
  private get isOffline(): boolean {
    return this.state.phase === 'signed in' && !this.tokens.grant;
  }

  /** Without the server whoever was signed in last can still practise; nobody else can do anything. A slow answer still counts. */
  private goOffline(error: string | null): void {
    const player = lastPlayer.get();
    if (player) this.setState({ phase: 'signed in', player });
    else this.setState({ phase: 'signed out', player: null, error, redirecting: false });
  }

  /** True when the address carried an auth result. */
  private async processResult(): Promise<boolean> {
    const result = authResult(this.page.href());
    if (!result) return false;
    this.setState({ phase: 'processing', player: this.state.player });
    await new Promise((resolve) => setTimeout(resolve, CALLBACK_WAIT_MS));
    this.page.clean();
    const error = await this.accept(result);
    const { grant } = this.tokens;
    // A sign-in that fails ends no session: whoever is signed in here stays so.
    if (grant) this.setState({ phase: 'signed in', player: grant.player });
    else await this.load(error);
    if (!this.tokens.grant) console.info(messages.auth.noSession);
    return true;
  }

  /** What to tell the player about the result, if anything. */
  private async accept(result: AuthResult): Promise<string | null> {
    if (result.kind === 'nothing') return null;
    const underWay = isUnderWay();
    const verifier = takeVerifier();
    if (!verifier && isBlocked()) return messages.auth.blocked;
    if (result.kind === 'error') {
      // The server finds no sign-in of this browser, which has only just begun one.
      return result.error === 'sign_in_expired' && underWay
        ? messages.auth.signInCookieLost
        : signInError(result.error);
    }
    if (!verifier) return messages.auth.signInErrors.foreign_code;
    try {
      const { grant, returnTo } = await this.api.exchange(result.code, verifier);
      const isHere = returnTo.startsWith('/?');
      // Before the game opens: it looks at the address.
      if (isHere) this.page.clean(returnTo);
      this.tokens.set(grant);
      this.tabs.broadcast('signed in');
      if (!isHere && returnTo !== '/') this.page.goTo(returnTo);
      return null;
    } catch (problem) {
      return problem instanceof Refused ? signInError(problem.code) : messages.auth.unreachable;
    }
  }

  private handleGrant({ player }: Grant): void {
    const before = this.state.player;
    const same = before !== null && JSON.stringify(before) === JSON.stringify(player);
    lastPlayer.set(player);
    this.setState({ phase: 'signed in', player: same ? before : player });
    this.emit(before ? 'token refreshed' : 'signed in');
    if (before && !same) this.emit('user updated');
  }

  private signedOut(error: string | null = null): void {
    const hadPlayer = this.hasPlayer;
    this.tokens.clear();
    lastPlayer.clear();
    this.setState({ phase: 'signed out', player: null, error, redirecting: false });
    if (hadPlayer) this.emit('signed out');
  }

  /** Nobody has signed out here: the server knows the session no longer, or this browser has lost its cookie. */
  private handleSessionLost(reason: SessionLoss): void {
    const { player } = this.state;
    // A session that another tab has found ended is forgotten already.
    const isLost = reason === 'no cookie' && lastPlayer.get() !== null;
    this.endedMessage = isLost ? messages.auth.cookieLost : player && messages.auth.sessionEnded;
    if (!player || !this.gameOnBoard) return this.signedOut(this.endedMessage);
    this.tokens.clear();
    lastPlayer.clear();
    this.setState({ phase: 'ended', player });
    this.emit('signed out');
  }

  /** True when a player is signed in here, or was at the last visit. */
  private get hasPlayer(): boolean {
    return this.state.phase !== 'ended' && (this.state.player !== null || this.wasSignedIn);
  }

  private giveUpLoading(): void {
    if (this.state.phase !== 'loading' && this.state.phase !== 'processing') return;
    console.warn(messages.auth.loadingTimeout);
    this.goOffline(null);
  }

  private wakeUp(): void {
    this.tokens.wakeUp();
    if (this.isOffline || (this.state.phase === 'signed out' && this.state.error === messages.auth.unreachable))
      void this.load();
  }

  private isRedirecting(): boolean {
    return this.state.phase === 'signed out' && this.state.redirecting;
  }

  private setState(state: SessionState): void {
    clearTimeout(this.redirectTimer);
    this.state = state;
    for (const subscriber of this.subscribers) subscriber();
  }

  private emit(event: SessionEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}
