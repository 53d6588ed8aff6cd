import { Injectable } from '@nestjs/common';
import { BOT_MOVE_DELAY } from '../../game/bot.js';
import { type FinishedGame, type Move, replay } from '../../game/replay.js';
import type { SignedInPlayer } from '../auth/sessions/signed-in.js';
import { Clock } from '../base/clock.js';
import { RefusalReason } from './finish-game.type.js';
import { type Ticket, Tickets } from './tickets.js';

/** What the ticket and the player's squares of a finished game show. */
type Verification =
  | { ok: true; ticket: Ticket; game: FinishedGame }
  /** A forged or expired token gives no ticket. */
  | { ok: false; reason: RefusalReason; ticket?: Ticket };

/** The moves of both sides so far. The game is null until it is over. */
type Followed =
  | { ok: true; ticket: Ticket; moves: readonly Move[]; game: FinishedGame | null }
  | Extract<Verification, { ok: false }>;

/** Replays finished games from their tickets. */
@Injectable()
export class GameVerifier {
  constructor(
    private readonly tickets: Tickets,
    private readonly clock: Clock,
  ) {}

  /** Replays a game that need not be over, with the bot's answer to the player's last square. */
  follow(player: SignedInPlayer, token: string, squares: readonly number[]): Followed {
    const opened = this.tickets.open(token);
    if (!opened.ok) return { ok: false, reason: RefusalReason[`ticket_${opened.reason}`] };
    const { ticket } = opened;
    if (ticket.playerId !== player.playerId)
      return { ok: false, reason: RefusalReason.ticket_of_another_player, ticket };

    const replayed = replay({ difficulty: ticket.difficulty, seed: ticket.seed, squares });
    if (replayed.ok) return { ok: true, ticket, moves: replayed.game.moves, game: replayed.game };
    if (replayed.reason === 'unfinished') return { ok: true, ticket, moves: replayed.moves, game: null };
    return { ok: false, reason: RefusalReason.illegal_move, ticket };
  }

  verify(player: SignedInPlayer, token: string, squares: readonly number[]): Verification {
    const followed = this.follow(player, token, squares);
    if (!followed.ok) return followed;
    const { ticket, game } = followed;
    if (!game) return { ok: false, reason: RefusalReason.game_unfinished, ticket };
    const duration = this.clock.now().getTime() - ticket.issuedAt.getTime();
    if (duration < game.botMoves * BOT_MOVE_DELAY) return { ok: false, reason: RefusalReason.too_fast, ticket };
    return { ok: true, ticket, game };
  }
}
