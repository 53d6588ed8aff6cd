import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { replay } from '../../game/replay.js';
import { squaresFor } from '../builders/finished-game.js';
import { finishGame, startGame } from '../support/play.js';
import { type Server, startServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

const MINUTES = 3;
const BOT_MOVE = 500;

let server: Server;
beforeAll(async () => {
  server = await startServer({ env: { GAMES_PER_MINUTE: '45' } });
  await server.stopClock();
});
afterAll(() => server.remove());

/** Plays games for the minutes, on the server's clock, with this pause between a game and the next. */
async function play(pause: number) {
  const player = await aSignedInVisitor(server);
  let counted = 0;
  let refused = 0;
  for (let time = 0; time < MINUTES * 60_000;) {
    const ticket = await startGame(player, 'easy');
    const squares = squaresFor({ ...ticket, result: 'win' });
    const replayed = replay({ ...ticket, squares });
    const took = replayed.ok ? replayed.game.botMoves * BOT_MOVE : 0;
    await server.moveClock(took + pause);
    time += took + pause;
    const { data } = await finishGame(player, ticket.token, squares);
    if (data?.finishGame.__typename === 'GameCounted') counted += 1;
    else refused += 1;
  }
  return { counted, refused };
}

test('counts 45 games a minute of a program as fast as the bot, and every game of a fast person', async () => {
  const program = await play(0);
  expect(program.counted).toBeLessThanOrEqual(MINUTES * 45);
  expect(program.refused).toBeGreaterThan(0);
  // A game in about five seconds, one after the other.
  const person = await play(3_500);
  expect(person.refused).toBe(0);
  expect(person.counted).toBeGreaterThan(MINUTES * 10);
  process.stdout.write(
    `games counted an hour: program ${program.counted * (60 / MINUTES)}, person ${person.counted * (60 / MINUTES)}\n`,
  );
});
