/** Finished games that nobody has sent yet, of all difficulties alike. */
import { built } from './product.js';

/**
 * @typedef {object} Unsent
 * @property {import('./product.js').SignedIn} player
 * @property {string} gameId
 * @property {string} difficulty
 * @property {string} seed
 * @property {string} token
 * @property {Date} issuedAt
 * @property {number[]} squares
 */

/**
 * @param {import('./product.js').Signer} signer
 * @param {readonly import('./product.js').SignedIn[]} players   one game for each
 * @returns {Promise<Unsent[]>}
 */
export async function playGames(signer, players) {
  const { newGame, play } = await built('game/rules.js');
  const { botSquare, DIFFICULTIES } = await built('game/bot.js');
  const { emptySquares } = await built('game/board.js');
  return players.map((player, at) => {
    const difficulty = /** @type {string} */ (DIFFICULTIES[at % DIFFICULTIES.length]);
    const ticket = signer.ticket(player.playerId, difficulty);
    const squares = [];
    let game = newGame();
    while (!game.outcome) {
      const empty = emptySquares(game.board);
      const square = empty[Math.floor(Math.random() * empty.length)];
      squares.push(square);
      game = play(game, square).game;
      if (!game.outcome) game = play(game, botSquare({ board: game.board, difficulty, seed: ticket.seed })).game;
    }
    return { player, difficulty, squares, ...ticket };
  });
}
