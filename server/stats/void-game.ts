import { type EntityManager, MoreThanOrEqual } from 'typeorm';
import { CountedGame, type Game, VoidedGame } from './game.entity.js';
import { recountPlayer } from './recount.js';

export type GameKey = Pick<Game, 'playerId' | 'id'>;

/** What the audit keeps of a voided game. */
const kept = ({ number, difficulty, result, points, finishedAt }: Game) => {
  return { number, difficulty, result, points, finished_at: finishedAt };
};

/** SQL moves the row, because a `Date` has no microseconds. */
async function move(transaction: EntityManager, { playerId, id }: GameKey, from: 'counted' | 'voided') {
  const [source, target] = from === 'counted' ? ['games', 'voided_games'] : ['voided_games', 'games'];
  const copy = `INSERT INTO ${target} SELECT * FROM ${source} WHERE player_id = $1 AND id = $2`;
  await transaction.query(copy, [playerId, id]);
  await transaction.getRepository<Game>(from === 'counted' ? CountedGame : VoidedGame).delete({ playerId, id });
  await recountPlayer(transaction, playerId);
}

/**
 * Takes a game out of all sums and recounts the others: a later bonus may go, or come earlier. The game no longer counts when
 * it is sent again.
 * @returns null when the player has no such game
 */
export async function voidGame(transaction: EntityManager, key: GameKey) {
  const game = await transaction.getRepository(CountedGame).findOneBy(key);
  if (!game) return null;
  await move(transaction, key, 'counted');
  return kept(game);
}

/** Games that were voided since have moved the numbers, so the time says where the game belongs. */
const NUMBER = `
  SELECT coalesce(max(number), 0) + 1 AS number FROM games WHERE player_id = $1 AND (finished_at, number) <
    (SELECT finished_at, number FROM voided_games WHERE player_id = $1 AND id = $2)`;

/**
 * Brings a voided game back to its place among the others, and recounts them: the sums are those of before.
 * @returns null when the player has no such voided game
 */
export async function unvoidGame(transaction: EntityManager, key: GameKey) {
  const { playerId, id } = key;
  const voided = transaction.getRepository(VoidedGame);
  const game = await voided.findOneBy(key);
  if (!game) return null;
  const [{ number }] = await transaction.query<[{ number: number }]>(NUMBER, [playerId, id]);
  const after = { playerId, number: MoreThanOrEqual(number) };
  await transaction.getRepository(CountedGame).increment(after, 'number', 1);
  await voided.update(key, { number });
  await move(transaction, key, 'voided');
  return kept(game);
}

/** The voided games of a player, the newest first: all, or so many. */
export function voidedGamesOf(manager: EntityManager, playerId: string, limit: number | null): Promise<Game[]> {
  const order = { finishedAt: 'DESC', number: 'DESC' } as const;
  return manager.getRepository(VoidedGame).find({ where: { playerId }, order, take: limit ?? undefined });
}
