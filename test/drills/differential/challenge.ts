import { CHALLENGE_DIFFICULTIES, CHALLENGE_GAMES } from '../../../game/challenge.js';
import type { Square } from '../../../game/board.js';
import type { Group, Step } from './groups.js';
import { squaresOfGame } from './played-game.js';
import { challengeMove, startChallenge } from './requests.js';
import type { DrillPlayer, World } from './world.js';

/** Starts today's challenge of everybody who has begun an earlier one: then all earlier ones are settled at this time. */
export async function settlements(world: World): Promise<Group[]> {
  const groups: Group[] = [];
  for (const player of world.players) {
    if (player.gone || !player.attempt || player.attempt.day === world.day) continue;
    const token = await world.token(player);
    player.attempt = { day: world.day, started: 1, finished: 0, squares: [] };
    groups.push({ name: 'settlement', player, waves: [[{ request: startChallenge(token, world.day, 1) }]] });
  }
  return groups;
}

/** Plays on in today's challenge, often up to the end of a game. */
export async function challengeGroup(world: World, player: DrillPlayer): Promise<Group> {
  const { random, day } = world;
  const token = await world.token(player);
  const waves: Step[][] = [];
  const attempt = (player.attempt ??= { day, started: 0, finished: 0, squares: [] });
  for (let games = random.between(1, 3); games > 0 && attempt.finished < CHALLENGE_GAMES; games--) {
    if (attempt.started === attempt.finished) {
      attempt.started += 1;
      attempt.squares = [];
      const start = { request: startChallenge(token, day, attempt.started) };
      waves.push(random.chance(0.3) ? [start, start, start] : [start]);
    }
    const game = attempt.started;
    const squares = restOf(world, player);
    const played = random.chance(0.15) ? squares.slice(0, -1) : squares;
    for (const square of played) {
      attempt.squares.push(square);
      const move = { day, game, move: attempt.squares.length, square };
      const step = { request: challengeMove(token, move) };
      waves.push(random.chance(0.15) ? [step, step, step] : [step]);
      if (random.chance(0.05)) waves.push([{ request: challengeMove(token, { ...move, square: (square + 1) % 9 }) }]);
    }
    if (played.length < squares.length) break;
    attempt.finished += 1;
  }
  if (waves.length === 0) waves.push([{ request: startChallenge(token, day, random.between(1, 5)) }]);
  return { name: 'challenge', player, waves };
}

/** The player's squares up to the end of the running game. */
function restOf(world: World, { attempt }: DrillPlayer): Square[] {
  const { started, squares, day } = attempt!;
  const difficulty = CHALLENGE_DIFFICULTIES[started - 1]!;
  const seed = world.challengeSeeds(day)[started - 1]!;
  const game = { difficulty, seed, perfect: difficulty === 'hard' };
  return squaresOfGame(world.random, game, squares).slice(squares.length);
}
