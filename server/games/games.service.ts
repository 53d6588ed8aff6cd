import { Injectable } from '@nestjs/common';
import { BOT_MOVE_DELAY, type Difficulty } from '../../game/bot.js';
import { type FinishedGame, type Move, replay } from '../../game/replay.js';
import type { ActingPlayer, SignedInPlayer } from '../auth/sessions/session.entity.js';
import { Clock } from '../base/clock.js';
import { GameWriter } from '../stats/game-writer.js';
import { noteGame } from '../stats/game-log.js';
import { Env } from '../settings/env.js';
import { sentenceIn } from '../web/answers/enums.js';
import { RefusalLog } from '../web/answers/refusal-log.js';
import {
  type BotMoved,
  type GameCounted,
  GameRefused,
  GAME_REFUSALS,
  type GameRefusalReason,
  type TicketType,
  toGameType,
} from './game.type.js';
import { toPlayerStats } from '../stats/player-stats.type.js';
import { type Ticket, Tickets } from './tickets.js';

/** The moves of both sides so far. The game is null until it is over. */
type Followed =
  | { ok: true; ticket: Ticket; moves: readonly Move[]; game: FinishedGame | null }
  /** A forged or expired token gives no ticket. */
  | { ok: false; reason: GameRefusalReason; ticket?: Ticket };

/** The page never causes these, so they go to the audit trail. */
const FORGED: ReadonlySet<GameRefusalReason> = new Set(['ticket_invalid', 'ticket_of_another_player']);

@Injectable()
export class GamesService {
  constructor(
    private readonly tickets: Tickets,
    private readonly writer: GameWriter,
    private readonly clock: Clock,
    private readonly env: Env,
    private readonly refusals: RefusalLog,
  ) {}

  /** Issues a ticket. Stores nothing, because a game exists only once it is finished. */
  async start({ playerId, scopes }: SignedInPlayer, difficulty: Difficulty): Promise<TicketType> {
    const countsFrom = await this.writer.countsFrom(playerId);
    const { ticket, token, expiresAt } = this.tickets.issue(playerId, difficulty, scopes !== undefined);
    const { gameId, seed } = ticket;
    const { gamesPerDay } = this.env;
    return { gameId, difficulty, seed, token, expiresAt, counts: countsFrom === null, countsFrom, gamesPerDay };
  }

  /** Plays the bot's move after the player's squares. Stores nothing: the ticket determines it. */
  move(player: SignedInPlayer, token: string, squares: readonly number[]): BotMoved | GameRefused {
    const followed = this.follow(player, token, squares);
    if (!followed.ok) return this.refused(followed.reason);
    const moves = followed.moves.map(({ square }) => square);
    const last = followed.moves.at(-1);
    return { moves, botSquare: last?.mark === 'O' ? last.square : null, result: followed.game?.result ?? null };
  }

  /** Replays the game from its ticket and the player's squares, and counts it. */
  async finish(player: ActingPlayer, token: string, squares: readonly number[]): Promise<GameCounted | GameRefused> {
    const { playerId, request } = player;
    const followed = this.follow(player, token, squares);
    const { ticket } = followed;
    const game = { source: 'verified', gameId: ticket?.gameId, difficulty: ticket?.difficulty } as const;
    const refuse = (reason: GameRefusalReason, countsFrom?: Date | null) => {
      noteGame({ ...game, outcome: reason }, request);
      return this.refused(reason, countsFrom);
    };
    if (!followed.ok) {
      const { reason } = followed;
      if (FORGED.has(reason)) this.refusals.note({ event: 'ticket_refused', reason }, request);
      return refuse(reason);
    }
    if (!followed.game) return refuse('game_unfinished');

    const { gameId: id, difficulty, seed, issuedAt: startedAt, byProgram } = followed.ticket;
    const { result, botMoves } = followed.game;
    if (this.clock.now().getTime() - startedAt.getTime() < botMoves * BOT_MOVE_DELAY) return refuse('too_fast');
    const moves = followed.moves.map(({ square }) => square);
    const played = { id, source: 'verified', difficulty, result, seed, moves, startedAt, byProgram } as const;
    const counted = await this.writer.count(player, played, this.env);
    const { status, countsFrom } = counted;
    if (!('game' in counted)) {
      return refuse(counted.status, status === 'too_many_games_today' ? countsFrom : null);
    }
    noteGame({ ...game, outcome: status, result }, request);
    const { gamesPerDay } = this.env;
    return { game: toGameType(counted.game), stats: toPlayerStats(playerId, counted.sums), countsFrom, gamesPerDay };
  }

  /** Replays a game that need not be over, with the bot's answer to the player's last square. */
  private follow(player: SignedInPlayer, token: string, squares: readonly number[]): Followed {
    const opened = this.tickets.open(token);
    if (!opened.ok) return { ok: false, reason: `ticket_${opened.reason}` };
    const { ticket } = opened;
    if (ticket.playerId !== player.playerId) return { ok: false, reason: 'ticket_of_another_player', ticket };

    const replayed = replay({ difficulty: ticket.difficulty, seed: ticket.seed, squares });
    if (replayed.ok) return { ok: true, ticket, moves: replayed.game.moves, game: replayed.game };
    if (replayed.reason === 'unfinished') return { ok: true, ticket, moves: replayed.moves, game: null };
    return { ok: false, reason: 'illegal_move', ticket };
  }

  private refused(reason: GameRefusalReason, countsFrom: Date | null = null): GameRefused {
    const { gamesPerDay } = this.env;
    const message = sentenceIn(GAME_REFUSALS[reason]);
    return Object.assign(new GameRefused(), { reason, message, countsFrom, gamesPerDay });
  }
}
