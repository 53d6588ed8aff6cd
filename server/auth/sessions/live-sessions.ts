import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../base/clock.js';
import { isDistributed } from '../../database/distribution.js';
import { named } from '../../database/statements.js';
import { sharedReads } from '../../database/shared-reads.js';
import { playerById } from '../players/player.js';
import { Session, sessionEnded, type SignedInPlayer } from './session.js';
import { Refusal } from '../../web/answers/refusals.js';

const ONE = named(
  'live-session',
  'SELECT id FROM sessions WHERE id = $1 AND player_id = $2 AND revoked_at IS NULL AND expires_at > $3',
);

const SEVERAL = named(
  'live-sessions',
  `
  SELECT s.id, s.player_id AS "playerId"
  FROM unnest($1::uuid[], $2::uuid[]) AS asked (id, player_id)
    JOIN sessions s ON s.id = asked.id AND s.player_id = asked.player_id
  WHERE s.revoked_at IS NULL AND s.expires_at > $3`,
);

/** Checks the session of every signed-in request, in the database: an ended session ends on all servers at once. */
@Injectable()
export class LiveSessions implements OnModuleInit {
  private read!: (player: SignedInPlayer) => Promise<boolean>;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    this.read = sharedReads((players) => this.areLive(players), { alone: await isDistributed(this.database) });
  }

  isLive(player: SignedInPlayer): Promise<boolean> {
    return this.read(player);
  }

  /** @throws {Refusal} when the session of the player, or their personal token, has ended: with the reason */
  async requireLive(player: SignedInPlayer): Promise<void> {
    if (!(await this.isLive(player))) throw await this.reasonOf(player);
  }

  /**
   * For a handler whose own statement checks the session. When it refuses before that, a player whose session has ended gets
   * 401 instead. Only a refusal costs a second round trip.
   * @param isRefusal recognises the refusals that are not exceptions
   */
  async checkBeforeRefusal<Answer>(
    player: SignedInPlayer,
    work: () => Answer | Promise<Answer>,
    isRefusal: (answer: Answer) => boolean = () => false,
  ): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await work();
    } catch (error) {
      if (error instanceof Refusal) await this.requireLive(player);
      throw error;
    }
    if (isRefusal(answer)) await this.requireLive(player);
    return answer;
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

  private async areLive(players: readonly SignedInPlayer[]): Promise<boolean[]> {
    const now = this.clock.now();
    const [player] = players;
    if (player && players.length === 1) {
      const rows = await this.database.query<unknown[]>(ONE, [player.sessionId, player.playerId, now]);
      return [rows.length > 0];
    }
    const sessionIds = players.map(({ sessionId }) => sessionId);
    const playerIds = players.map(({ playerId }) => playerId);
    const rows = await this.database.query<{ id: string; playerId: string }[]>(SEVERAL, [sessionIds, playerIds, now]);
    const owners = new Map(rows.map(({ id, playerId }) => [id, playerId]));
    return players.map(({ sessionId, playerId }) => owners.get(sessionId) === playerId);
  }
}
