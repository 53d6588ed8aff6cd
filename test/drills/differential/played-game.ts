import { createHmac } from 'node:crypto';
import { emptySquares, type Square } from '../../../game/board.js';
import { botSquare, type Difficulty, DIFFICULTIES } from '../../../game/bot.js';
import { bestSquares, WHOLE_GAME } from '../../../game/minimax.js';
import { type Game, newGame, play } from '../../../game/rules.js';
import { uuidBytes } from '../../../server/base/uuid.js';
import { publicGameId } from '../../../server/games/public-id.js';
import type { Random } from './random.js';

/** A finished game with its ticket, before or after it is sent. */
export interface PlayedGame {
  /** The id in the database. */
  readonly id: string;
  readonly publicId: string;
  readonly difficulty: Difficulty;
  readonly seed: string;
  readonly ticket: string;
  readonly squares: readonly Square[];
}

export interface TicketOptions {
  readonly playerId: string;
  readonly difficulty: Difficulty;
  readonly issuedAt: Date;
  readonly key: Uint8Array;
}

/** Half of the players of hard games play perfectly: otherwise nobody would draw. */
export function playGame(random: Random, options: TicketOptions): PlayedGame {
  const { playerId, difficulty } = options;
  const [id, seed] = [random.uuid(), random.hex(32)];
  const squares = squaresOfGame(random, {
    difficulty,
    seed,
    perfect: random.chance(difficulty === 'hard' ? 0.6 : 0.2),
  });
  return { id, publicId: publicGameId(playerId, id), difficulty, seed, ticket: ticketOf(id, seed, options), squares };
}

/** The same ticket with other squares. */
export function playAnother(random: Random, game: PlayedGame): PlayedGame {
  for (let tries = 0; tries < 20; tries++) {
    const squares = squaresOfGame(random, { ...game, perfect: false });
    if (squares.join() !== game.squares.join()) return { ...game, squares };
  }
  return game;
}

/** The player's squares of a finished game that begins with the given ones. */
export function squaresOfGame(
  random: Random,
  { difficulty, seed, perfect }: { difficulty: Difficulty; seed: string; perfect: boolean },
  begun: readonly Square[] = [],
): Square[] {
  const squares: Square[] = [];
  let game = newGame();
  while (!game.outcome) {
    const square =
      begun[squares.length] ??
      random.pick(perfect ? bestSquares(game.board, 'X', WHOLE_GAME) : emptySquares(game.board));
    squares.push(square);
    game = mark(game, square);
    if (!game.outcome) game = mark(game, botSquare({ board: game.board, difficulty, seed }));
  }
  return squares;
}

function mark(game: Game, square: Square): Game {
  const played = play(game, square);
  if (!played.ok) throw new Error(played.reason);
  return played.game;
}

/** The token that server/games/tickets.ts would make, with an id and a seed of ours: a server makes random ones. */
function ticketOf(id: string, seed: string, { playerId, difficulty, issuedAt, key }: TicketOptions): string {
  const time = Buffer.alloc(6);
  time.writeUIntBE(issuedAt.getTime(), 0, 6);
  const head = Buffer.from([1, DIFFICULTIES.indexOf(difficulty)]);
  const body = Buffer.concat([head, uuidBytes(id), uuidBytes(playerId), Buffer.from(seed, 'hex'), time]);
  return Buffer.concat([body, createHmac('sha256', key).update(body).digest()]).toString('base64url');
}
