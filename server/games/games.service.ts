import { Injectable } from '@nestjs/common';
import { BOT_MOVE_DELAY, type Difficulty } from '../../game/bot.js';
import { type FinishedGame, replay } from '../../game/replay.js';
import type { SignedInPlayer } from '../auth/sessions/signed-in.js';
import { Clock } from '../clock.js';
import { Env } from '../env.js';
import { Refusals } from '../web/refusals.js';
import { GameCounted, GameRefused, RefusalReason } from './finish-game.type.js';
import { Recorder } from './recorder.js';
import type { TicketType } from './start-game.type.js';
import { type Ticket, Tickets } from './tickets.js';
import { TodaysGames } from './todays-games.js';

/** No game of the page's own ends so: somebody tried. */
const FORGED: ReadonlySet<RefusalReason> = new Set([
  RefusalReason.ticket_invalid,
  RefusalReason.ticket_of_another_player,
]);

@Injectable()
export class GamesService {
  constructor(
    private readonly tickets: Tickets,
    private readonly recorder: Recorder,
    private readonly today: TodaysGames,
    private readonly clock: Clock,
    private readonly env: Env,
    private readonly refusals: Refusals,
  ) {}

  /** Nothing is written: a game exists once it is finished. */
  async start({ playerId }: SignedInPlayer, difficulty: Difficulty): Promise<TicketType> {
    const countsFrom = await this.today.countFrom(playerId);
    const { ticket, token, expiresAt } = this.tickets.issue(playerId, difficulty);
    const { gameId, seed } = ticket;
    return { gameId, difficulty, seed, token, expiresAt, counts: countsFrom === null, countsFrom };
  }

  /** Replays the game from its ticket and the player's squares, in order, and counts it. */
  async finish(player: SignedInPlayer, token: string, squares: readonly number[]): Promise<GameCounted | GameRefused> {
    const checked = this.check(player, token, squares);
    if (!checked.ok) {
      if (FORGED.has(checked.reason)) this.refusals.note({ event: 'ticket_refused', reason: checked.reason });
      return refused(checked.reason);
    }

    const { gameId, difficulty, seed, issuedAt } = checked.ticket;
    const recorded = await this.recorder.record(player, {
      id: gameId,
      difficulty,
      result: checked.game.result,
      verified: { seed, moves: checked.game.moves.map(({ square }) => square), startedAt: issuedAt },
      gamesPerMinute: this.env.gamesPerMinute,
      gamesPerDay: this.env.gamesPerDay,
    });
    const { countsFrom } = recorded;
    switch (recorded.status) {
      case 'differs':
        return refused(RefusalReason.already_counted);
      case 'too_many':
        return refused(RefusalReason.too_many_games);
      case 'too_many_today':
        return refused(RefusalReason.too_many_games_today, countsFrom);
      default:
        return { game: recorded.game, stats: recorded.stats, countsFrom };
    }
  }

  private check(player: SignedInPlayer, token: string, squares: readonly number[]): Checked {
    const opened = this.tickets.open(token);
    if (!opened.ok) return { ok: false, reason: RefusalReason[`ticket_${opened.reason}`] };
    const { ticket } = opened;
    if (ticket.playerId !== player.playerId) return { ok: false, reason: RefusalReason.ticket_of_another_player };

    const replayed = replay({ difficulty: ticket.difficulty, seed: ticket.seed, squares });
    if (!replayed.ok) {
      const reason = replayed.reason === 'unfinished' ? RefusalReason.game_unfinished : RefusalReason.illegal_move;
      return { ok: false, reason };
    }
    const took = this.clock.now().getTime() - ticket.issuedAt.getTime();
    if (took < replayed.game.botMoves * BOT_MOVE_DELAY) return { ok: false, reason: RefusalReason.too_fast };
    return { ok: true, ticket, game: replayed.game };
  }
}

type Checked = { ok: true; ticket: Ticket; game: FinishedGame } | { ok: false; reason: RefusalReason };

const MESSAGES: Record<RefusalReason, string> = {
  ticket_invalid: 'This ticket was not made by this server. Start a new game.',
  ticket_expired: 'This game was sent too late: its ticket has expired. Start a new game.',
  ticket_of_another_player: 'This ticket belongs to another player. Start a new game.',
  already_counted: 'This ticket has already been used for a game with other moves. Start a new game.',
  illegal_move: 'These moves break the rules, so the game is not counted.',
  game_unfinished: 'This game is not finished. Play it to the end and send all of your squares.',
  too_fast: 'This game ended faster than the bot can move. Send it again in a few seconds.',
  too_many_games: 'That is more games than are counted in a minute. Send it again in a minute.',
  too_many_games_today: 'That is more games than are counted in a day. Send it again after midnight UTC.',
};

function refused(reason: RefusalReason, countsFrom: Date | null = null): GameRefused {
  return Object.assign(new GameRefused(), { reason, message: MESSAGES[reason], countsFrom });
}
