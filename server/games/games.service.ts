import { Injectable } from '@nestjs/common';
import type { Difficulty } from '../../game/bot.js';
import type { ActingPlayer, SignedInPlayer } from '../auth/sessions/signed-in.js';
import { Env } from '../settings/env.js';
import { Refusals } from '../web/answers/refusals.js';
import { DailyLimit } from '../counting/daily-limit.js';
import { type BotMoved, GameCounted, GameRefused, RefusalReason } from './finish-game.type.js';
import { noteGame } from './game-events.js';
import { Recorder } from './recorder.js';
import type { TicketType } from './start-game.type.js';
import { GameVerifier } from './game-verifier.js';
import { Tickets } from './tickets.js';

/** The page never causes these, so they go to the audit trail. */
const FORGED: ReadonlySet<RefusalReason> = new Set([
  RefusalReason.ticket_invalid,
  RefusalReason.ticket_of_another_player,
]);

@Injectable()
export class GamesService {
  constructor(
    private readonly tickets: Tickets,
    private readonly verifier: GameVerifier,
    private readonly recorder: Recorder,
    private readonly dailyLimit: DailyLimit,
    private readonly env: Env,
    private readonly refusals: Refusals,
  ) {}

  /** Issues a ticket. Stores nothing, because a game exists only once it is finished. */
  async start({ playerId, scopes }: SignedInPlayer, difficulty: Difficulty): Promise<TicketType> {
    const countsFrom = await this.dailyLimit.countsFrom(playerId);
    const { ticket, token, expiresAt } = this.tickets.issue(playerId, difficulty, scopes !== undefined);
    const { gameId, seed } = ticket;
    return { gameId, difficulty, seed, token, expiresAt, counts: countsFrom === null, countsFrom };
  }

  /** Plays the bot's move after the player's squares. Stores nothing: the ticket determines it. */
  move(player: SignedInPlayer, token: string, squares: readonly number[]): BotMoved | GameRefused {
    const followed = this.verifier.follow(player, token, squares);
    if (!followed.ok) return refused(followed.reason);
    const moves = followed.moves.map(({ square }) => square);
    const last = followed.moves.at(-1);
    return { moves, botSquare: last?.mark === 'O' ? last.square : null, result: followed.game?.result ?? null };
  }

  /** Replays the game from its ticket and the player's squares, and counts it. */
  async finish(player: ActingPlayer, token: string, squares: readonly number[]): Promise<GameCounted | GameRefused> {
    const { playerId, request } = player;
    const verified = this.verifier.verify(player, token, squares);
    const { ticket } = verified;
    const game = { source: 'verified', playerId, gameId: ticket?.gameId, difficulty: ticket?.difficulty } as const;
    const refuse = (reason: RefusalReason, countsFrom?: Date | null) => {
      noteGame({ ...game, outcome: reason }, request);
      return refused(reason, countsFrom);
    };
    if (!verified.ok) {
      if (FORGED.has(verified.reason))
        this.refusals.note({ event: 'ticket_refused', reason: verified.reason }, request);
      return refuse(verified.reason);
    }

    const { gameId: id, difficulty, seed, issuedAt, byProgram } = verified.ticket;
    const { result, moves } = verified.game;
    const recorded = await this.recorder.record(player, {
      id,
      difficulty,
      result,
      verified: { seed, moves: moves.map(({ square }) => square), startedAt: issuedAt },
      byProgram,
      gamesPerMinute: this.env.gamesPerMinute,
      gamesPerDay: this.env.gamesPerDay,
    });
    const { countsFrom } = recorded;
    switch (recorded.status) {
      case 'differs':
        return refuse(RefusalReason.already_counted);
      case 'voided':
        return refuse(RefusalReason.voided);
      case 'too_many':
        return refuse(RefusalReason.too_many_games);
      case 'too_many_today':
        return refuse(RefusalReason.too_many_games_today, countsFrom);
      default:
        noteGame({ ...game, outcome: recorded.status, result }, request);
        return { game: recorded.game, stats: recorded.stats, countsFrom };
    }
  }
}

const MESSAGES: Record<RefusalReason, string> = {
  ticket_invalid: 'This server did not issue this ticket. Start a new game.',
  ticket_expired: 'The ticket of this game has expired. Start a new game.',
  ticket_of_another_player: 'This ticket belongs to another player. Start a new game.',
  already_counted: 'This ticket was already used for a game with other moves. Start a new game.',
  voided: 'An operator has voided this game, so it does not count.',
  illegal_move: 'A square is taken or off the board, or the game was over before it. Nothing has changed.',
  game_unfinished: 'This game is not finished. Play it to the end and send all of your squares.',
  too_fast: 'This game ended faster than the bot can move. Send it again in a few seconds.',
  too_many_games: 'You have finished too many games within one minute. Send this game again in a minute.',
  too_many_games_today: 'You have reached the limit of games for today. Send this game again after midnight UTC.',
};

function refused(reason: RefusalReason, countsFrom: Date | null = null): GameRefused {
  return Object.assign(new GameRefused(), { reason, message: MESSAGES[reason], countsFrom });
}
