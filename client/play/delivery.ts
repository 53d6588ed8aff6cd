import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { gamesIn, noStats } from '../../game/scoring.js';
import { hasCode } from '../data/refused.js';
import { FinishGameDocument, type FinishGameMutation, type RefusalReason } from '../graphql/generated.js';
import { storedStats, type StoredStats, takeStored, usePlayerStats } from '../data/playerStats.js';
import { oneAtATime } from '../data/tabs.js';
import { listen, Listeners } from '../ui/listen.js';
import { DAY, serverNow } from '../ui/time/clock.js';
import { addPending, type FinishedGame, Outbox } from './outbox.js';

export type FinishGameAnswer = FinishGameMutation['finishGame'];
export type FinishGame = (game: FinishedGame) => Promise<FinishGameAnswer>;
export type GameCounted = Extract<FinishGameAnswer, { __typename: 'GameCounted' }>;

/** Called for every counted game with the server's answer, or with null for a game of another tab or of the challenge. */
export type CountedListener = (answer: GameCounted | null) => void;

/** Refusals that a later try can overcome. All others are final. */
const RETRYABLE: ReadonlySet<RefusalReason> = new Set(['too_fast', 'too_many_games', 'too_many_games_today']);
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 5 * 60_000;

export interface DeliveryState {
  readonly pending: readonly FinishedGame[];
  /** The last try could not send all games. */
  readonly late: boolean;
  /** A game is lost when this tab is closed, because the browser could not store it. */
  readonly needsTab: boolean;
  /** When the games count, if the day's limit is the reason for the delay. */
  readonly countsFrom: string | null;
  readonly gamesPerDay: number;
  /** Why the server has refused a game for good. */
  readonly dropped: RefusalReason | null;
}

/** The remaining games wait until `countsFrom` or, without one, until the server answers. */
type Postponed = Pick<DeliveryState, 'countsFrom' | 'gamesPerDay'>;

const NO_LIMIT: Postponed = { countsFrom: null, gamesPerDay: 0 };

/** Sends finished games to the server and repeats this until each has a final answer. */
export class Delivery {
  private state: DeliveryState;
  private readonly subscribers = new Listeners();
  private readonly counted = new Listeners<GameCounted | null>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextRetry = FIRST_RETRY_MS;
  private closed = false;

  constructor(
    private readonly playerId: string,
    private readonly outbox: Outbox,
    private readonly finishGame: FinishGame,
  ) {
    this.state = { pending: outbox.list(), needsTab: outbox.needsTab(), late: false, ...NO_LIMIT, dropped: null };
  }

  readonly subscribe = this.subscribers.add;
  readonly onCounted: (listener: CountedListener) => () => void = this.counted.add;
  readonly getSnapshot = (): DeliveryState => this.state;

  /** Stores the game before sending it, so that it survives a reload. */
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
      const { countsFrom, gamesPerDay } = postponed ?? NO_LIMIT;
      this.update({ late: postponed !== null, countsFrom, gamesPerDay });
      if (postponed) this.sendLater(postponed);
      else this.nextRetry = FIRST_RETRY_MS;
    });
  }

  /** Another tab may have finished or sent a game. */
  readonly look = (): void => this.update({ late: this.state.late && this.outbox.list().length > 0 });

  readonly tellCounted = (): void => this.counted.tell(null);
  readonly dismissDropped = (): void => this.update({ dropped: null });

  /** Stops all retries, including those of a pending request, until the next call of `send`. */
  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Stops at the first game that must wait, because later games would have to wait too. */
  private async sendAll(): Promise<Postponed | null> {
    for (const game of this.outbox.list()) {
      let answer: FinishGameAnswer;
      try {
        answer = await this.finishGame(game);
      } catch (problem) {
        console.warn(problem instanceof Error ? problem.message : problem);
        return NO_LIMIT;
      }
      if (answer.__typename === 'GameRefused' && RETRYABLE.has(answer.reason)) return answer;
      // Publish the new stats first, so that no tab shows the game as neither pending nor counted.
      if (answer.__typename === 'GameCounted') this.counted.tell(answer);
      else console.warn(answer.message);
      this.outbox.remove(game.gameId);
      this.update(answer.__typename === 'GameCounted' ? {} : { dropped: answer.reason });
    }
    return null;
  }

  private sendLater({ countsFrom }: Postponed): void {
    if (this.closed) return;
    clearTimeout(this.timer);
    // The limit of a day ends within a day, even if the clocks differ.
    const left = countsFrom ? Date.parse(countsFrom) - serverNow() : 0;
    this.timer = setTimeout(() => void this.send(), Math.min(Math.max(this.nextRetry, left), DAY));
    this.nextRetry = Math.min(this.nextRetry * 2, LAST_RETRY_MS);
  }

  private update(change: Partial<Omit<DeliveryState, 'pending' | 'needsTab'>>): void {
    this.state = { ...this.state, ...change, pending: this.outbox.list(), needsTab: this.outbox.needsTab() };
    this.subscribers.tell();
  }
}

export type Deliveries = ReturnType<typeof useDelivery>;

/** Sends the player's outbox on mount, when the network returns and after each finished game. */
export function useDelivery(playerId: string) {
  const client = useApolloClient();
  const { cache } = client;
  const serverStats = usePlayerStats();
  const [delivery] = useState(() => new Delivery(playerId, new Outbox(playerId), (game) => finishGame(client, game)));
  const take = useCallback(
    (other: StoredStats | null) => {
      if (takeStored(cache, playerId, other)) delivery.tellCounted();
    },
    [delivery, cache, playerId],
  );
  // Another tab stores the stats of a game before it removes the game. This tab can see both before it hears of them.
  const subscribe = useCallback(
    (onChange: () => void) =>
      delivery.subscribe(() => {
        take(storedStats.get(playerId));
        onChange();
      }),
    [delivery, take, playerId],
  );
  const state = useSyncExternalStore(subscribe, delivery.getSnapshot);
  const { pending, countsFrom } = state;

  useEffect(() => {
    const send = () => void delivery.send();
    send();
    return listen(window, 'online', send);
  }, [delivery]);
  useEffect(
    () =>
      listen(window, 'storage', (event) => {
        // Not from the storage: this tab may have stored an older answer since.
        take(storedStats.fromEvent(playerId, event));
        delivery.look();
      }),
    [delivery, take, playerId],
  );
  useEffect(() => () => delivery.close(), [delivery]);

  // All pending games included; those that count on another day are not part of today's stats.
  const stats = useMemo(
    () => addPending(serverStats ?? noStats, countsFrom ? [] : pending),
    [serverStats, pending, countsFrom],
  );

  const nth = useRef<number>(undefined);
  useEffect(() => {
    nth.current = serverStats ? gamesIn(stats) + 1 : undefined;
  }, [serverStats, stats]);
  const submit = useCallback(
    (game: Omit<FinishedGame, 'nth'>) => delivery.submit({ ...game, nth: nth.current }),
    [delivery],
  );

  const { onCounted, tellCounted, dismissDropped } = delivery;
  return useMemo(
    () => ({ ...state, stats, submit, onCounted, tellCounted, dismissDropped }),
    [state, stats, submit, onCounted, tellCounted, dismissDropped],
  );
}

/** The answer contains the new stats, which the cache passes on to the stats panel. */
async function finishGame(client: ApolloClient, { ticket, squares }: FinishedGame): Promise<FinishGameAnswer> {
  const variables = { ticket, squares: [...squares] };
  const { data } = await client.mutate({ mutation: FinishGameDocument, variables }).catch(toRefusal);
  if (!data) throw new Error('finishGame answered without data');
  return data.finishGame;
}

/** Turns input that the server cannot read into a final refusal, because a retry would fail too. */
function toRefusal(problem: unknown): { data: FinishGameMutation } {
  if (!hasCode(problem, 'BAD_USER_INPUT')) throw problem;
  const { message } = problem as Error;
  return { data: { finishGame: { __typename: 'GameRefused', reason: 'ticket_invalid', message, ...NO_LIMIT } } };
}
