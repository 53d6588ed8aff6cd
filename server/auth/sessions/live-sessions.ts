import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../base/clock.js';
import { LruCache } from '../../base/lru-cache.js';
import { isDistributed } from '../../database/distribution.js';
import { sharedReads } from '../../database/shared-reads.js';
import { named } from '../../database/statements.js';
import { Refusal } from '../../web/answers/refusals.js';
import { playerById } from '../players/players.repository.js';
import { Session, sessionEnded, type SignedInPlayer } from './session.js';

/** How long an answer holds, in milliseconds: so long a session that another server or `ttt` has ended still works here. */
const HOLDS_MS = 1_000;
/** The sessions whose answer is kept. Each takes less than a kilobyte. */
const KEPT = 10_000;

/** Citus finds the shard by `$2`. */
const ENDS = named(
  'session-ends',
  `SELECT s.id, s.player_id AS "playerId", s.expires_at AS "expiresAt"
   FROM unnest($1::uuid[], $2::uuid[]) AS asked (id, player_id)
     JOIN sessions s ON s.id = asked.id AND s.player_id = asked.player_id
   WHERE s.revoked_at IS NULL AND s.player_id = ANY ($2)`,
);

/** When a session ends by itself, in milliseconds since 1970; or why it has ended. */
type State = number | Refusal;

interface Known {
  readonly askedAt: number;
  readonly state: Promise<State>;
}

/** Both ids: a token with the session of another player must not end that session here. */
const keyOf = ({ playerId, sessionId }: Pick<SignedInPlayer, 'playerId' | 'sessionId'>) => `${playerId} ${sessionId}`;

/** Whether sessions are live: each is asked for once a second at most. What this server ends is ended here at once. */
@Injectable()
export class LiveSessions implements OnModuleInit {
  private readonly known = new LruCache<Known>(KEPT);
  private endOf!: (player: SignedInPlayer) => Promise<number>;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    this.endOf = sharedReads((players) => this.endsOf(players), { alone: await isDistributed(this.database) });
  }

  /** @throws {Refusal} when the session of the player, or their personal token, has ended: with the reason */
  async requireLive(player: SignedInPlayer): Promise<void> {
    const state = await this.stateOf(player);
    if (typeof state !== 'number') throw state;
    if (state <= this.clock.now().getTime()) throw await this.reasonOf(player);
  }

  async isLive(player: SignedInPlayer): Promise<boolean> {
    const state = await this.stateOf(player);
    return typeof state === 'number' && state > this.clock.now().getTime();
  }

  /** Call it after the commit of what has ended or renewed a session, and before the answer. */
  forget(playerId: string, sessionId?: string): void {
    if (sessionId !== undefined) return this.known.delete(keyOf({ playerId, sessionId }));
    for (const [key] of [...this.known.entries()]) if (key.startsWith(playerId)) this.known.delete(key);
  }

  private stateOf(player: SignedInPlayer): Promise<State> {
    const key = keyOf(player);
    const last = this.known.get(key);
    if (last && performance.now() - last.askedAt < HOLDS_MS) return last.state;
    const known = { askedAt: performance.now(), state: this.ask(player) };
    this.known.set(key, known);
    known.state.catch(() => this.known.delete(key));
    return known.state;
  }

  private async ask(player: SignedInPlayer): Promise<State> {
    const end = await this.endOf(player);
    return end > this.clock.now().getTime() ? end : this.reasonOf(player);
  }

  private async reasonOf({ playerId, sessionId, scopes }: SignedInPlayer): Promise<Refusal> {
    if (!scopes) return sessionEnded();
    const player = await playerById(this.database.manager, playerId);
    if (player?.bannedAt) return new Refusal('player_banned');
    const token = await this.database.getRepository(Session).findOneBy({ playerId, id: sessionId });
    if (token && !token.revokedAt) {
      const day = token.expiresAt.toISOString().slice(0, 10);
      return new Refusal('token_ended', `This token ended on ${day}. Make a new one in the account.`);
    }
    return new Refusal('token_revoked');
  }

  private async endsOf(players: readonly SignedInPlayer[]): Promise<number[]> {
    const rows = await this.database.query<Pick<Session, 'id' | 'playerId' | 'expiresAt'>[]>(ENDS, [
      players.map(({ sessionId }) => sessionId),
      players.map(({ playerId }) => playerId),
    ]);
    const ends = new Map(
      rows.map(({ id: sessionId, playerId, expiresAt }) => [keyOf({ playerId, sessionId }), expiresAt.getTime()]),
    );
    return players.map((player) => ends.get(keyOf(player)) ?? 0);
  }
}
