import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { botSquare, DIFFICULTIES, type Difficulty } from './bot.js';
import { newGame, play } from './rules.js';

/**
 * Games for those who port the bot to another language. `x` and `o` are the squares of both sides in order: after the first
 * square of X, a bot with this difficulty and seed answers with the first square of O.
 */
interface Vector {
  readonly difficulty: Difficulty;
  readonly seed: string;
  readonly x: number[];
  readonly o: number[];
  readonly result: string;
}

const FILE = fileURLToPath(new URL('./vectors.json', import.meta.url));
const GAMES = 1_000;

const hashOf = (text: string) => createHash('sha256').update(text).digest();

/** X plays squares that depend on the number of the game alone. */
function vector(number: number): Vector {
  const difficulty = DIFFICULTIES[number % DIFFICULTIES.length]!;
  const seed = hashOf(`seed ${number}`).toString('hex').slice(0, 32);
  const squares: { x: number[]; o: number[] } = { x: [], o: [] };
  let game = newGame();
  while (game.turn) {
    const free = [...game.board.keys()].filter((square) => game.board[square] === null);
    const chosen = free[hashOf(`game ${number} move ${squares.x.length}`).readUInt32BE() % free.length]!;
    const square = game.turn === 'X' ? chosen : botSquare({ board: game.board, difficulty, seed });
    squares[game.turn === 'X' ? 'x' : 'o'].push(square);
    const played = play(game, square);
    if (!played.ok) throw new Error(played.reason);
    game = played.game;
  }
  return { difficulty, seed, ...squares, result: game.outcome!.result };
}

test('the published games are those of the bot', () => {
  const vectors = Array.from({ length: GAMES }, (_, number) => vector(number));
  if (process.env.UPDATE_VECTORS === '1') {
    writeFileSync(FILE, `[\n${vectors.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`);
  }
  const published = JSON.parse(readFileSync(FILE, 'utf8')) as Vector[];
  expect(published).toEqual(vectors);
  for (const difficulty of DIFFICULTIES) {
    const results = published.filter((one) => one.difficulty === difficulty).map(({ result }) => result);
    expect([difficulty, new Set(results).size]).toEqual([difficulty, difficulty === 'hard' ? 2 : 3]);
  }
});
