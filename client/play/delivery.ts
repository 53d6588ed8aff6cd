import { oneAtATime } from '../oneAtATime.js';
import { serverNow } from '../ui/clock.js';
import type { RefusalReason } from '../graphql/generated.js';
import type { FinishedGame, Outbox } from './outbox.js';
import type { FinishGame, FinishGameAnswer } from './useFinishGame.js';

export type GameCounted = Extract<FinishGameAnswer, { __typename: 'GameCounted' }>;

/** Hears of every game that was counted: the answer, or null when another tab got it. */
export type CountedListener = (answer: GameCounted | null) => void;

/** Refused now, welcome later. Every other refusal would be the same tomorrow. */
const RETRYABLE: ReadonlySet<RefusalReason> = new Set(['too_fast', 'too_many_games', 'too_many_games_today']);
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 5 * 60_000;
/** No day is longer, whatever a clock says. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

export interface DeliveryState {
  readonly pending: readonly FinishedGame[];
  /** The last try to send did not get everything through. */
  readonly late: boolean;
  /** Late because today's games are used up: from when they count again. */
  readonly countsFrom: string | null;
  /** Why a game was given up, in the server's words. */
  readonly dropped: string | null;
}

/** Why what is left has to wait: until this time, or until the server answers. */
type Postponed = Pick<DeliveryState, 'countsFrom'>;

/** Takes finished games to the server: now if possible, otherwise later, each until there is an answer for good. */
export class Delivery {
  private state: DeliveryState;
  private readonly subscribers = new Set<() => void>();
  private readonly listeners = new Set<CountedListener>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextRetry = FIRST_RETRY_MS;
  private closed = false;

  constructor(
    private readonly playerId: string,
    private readonly outbox: Outbox,
    private readonly finishGame: FinishGame,
  ) {
    this.state = { pending: outbox.list(), late: false, countsFrom: null, dropped: null };
  }

  readonly subscribe = (subscriber: () => void): (() => void) => {
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  };

  readonly getSnapshot = (): DeliveryState => this.state;

  readonly onCounted = (listener: CountedListener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Stored before it is sent: from here on it survives everything but a cleared browser. */
  submit(game: FinishedGame): void {
    this.outbox.add(game);
    this.update({});
    void this.send();
  }

  send(): Promise<void> {
    this.closed = false;
    clearTimeout(this.timer);
    return oneAtATime(`outbox.${this.playerId}`, async () => {
      const postponed = await this.sendAll();
      this.update({ late: postponed !== null, countsFrom: postponed?.countsFrom ?? null });
      if (postponed) this.sendLater(postponed);
      else this.nextRetry = FIRST_RETRY_MS;
    });
  }

  /** Another tab has changed the storage: it may have finished a game, or sent one. */
  handleStorageEvent({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): void {
    this.update({ late: this.state.late && this.outbox.list().length > 0 });
    if (newValue === null && this.outbox.isKeyOf(key)) this.notify(null);
  }

  readonly dismissDropped = (): void => this.update({ dropped: null });

  /** Until `send` is called again nothing is sent by itself: not even after a try that is still under way. */
  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Ends at the first game that has to wait: those behind it would fare no better. */
  private async sendAll(): Promise<Postponed | null> {
    for (const game of this.outbox.list()) {
      let answer: FinishGameAnswer;
      try {
        answer = await this.finishGame(game);
      } catch (problem) {
        console.warn(problem instanceof Error ? problem.message : problem);
        return { countsFrom: null };
      }
      if (answer.__typename === 'GameRefused' && RETRYABLE.has(answer.reason)) return answer;
      // The new stats first: nobody, in another tab neither, shall see the game gone and not yet counted.
      if (answer.__typename === 'GameCounted') this.notify(answer);
      else console.warn(answer.message);
      this.outbox.remove(game.gameId);
      this.update(answer.__typename === 'GameCounted' ? {} : { dropped: answer.message });
    }
    return null;
  }

  private sendLater({ countsFrom }: Postponed): void {
    if (this.closed) return;
    clearTimeout(this.timer);
    const left = countsFrom ? Date.parse(countsFrom) - serverNow() : 0;
    this.timer = setTimeout(() => void this.send(), Math.min(Math.max(this.nextRetry, left), LONGEST_WAIT_MS));
    this.nextRetry = Math.min(this.nextRetry * 2, LAST_RETRY_MS);
  }

  private notify(answer: GameCounted | null): void {
    for (const listener of this.listeners) listener(answer);
  }

  private update(change: Partial<Omit<DeliveryState, 'pending'>>): void {
    this.state = { ...this.state, ...change, pending: this.outbox.list() };
    for (const subscriber of this.subscribers) subscriber();
  }
}
