import type { EntityManager } from 'typeorm';
import { RecountError, recountPlayer } from './recount.js';

export interface VoidedGame {
  readonly number: number;
  readonly difficulty: string;
  readonly result: string;
  readonly points: number;
  readonly finished_at: Date;
}

/** Where a game is stored, and whose it is: after a merge the two players differ. */
export interface GameOfPlayer {
  readonly playerId: string;
  readonly playedBy: string;
  readonly gameId: string;
}

/**
 * Takes a game out of all sums and recounts the others: a later bonus may go, or come earlier. The game counts no more when
 * it is sent again.
 * @returns null when the player has no such game
 * @throws {RecountError} when the game is archived: the sums of archived games are fixed
 */
export async function voidGame(
  transaction: EntityManager,
  { playerId, playedBy, gameId }: GameOfPlayer,
): Promise<VoidedGame | null> {
  const key = [playedBy, gameId];
  const [game] = await transaction.query<VoidedGame[]>(
    'SELECT number, difficulty, result, points, finished_at FROM games WHERE player_id = $1 AND id = $2',
    key,
  );
  if (!game) return null;
  const archived = await transaction.query<unknown[]>(
    'SELECT 1 FROM archived_stats WHERE player_id = $1 AND up_to >= $2',
    [playedBy, game.number],
  );
  // Such a game may be in the table for reading.
  if (archived.length > 0) throw new RecountError('The game is archived, so it cannot be voided any more.');
  await transaction.query('INSERT INTO voided_games SELECT * FROM games WHERE player_id = $1 AND id = $2', key);
  await transaction.query('DELETE FROM games WHERE player_id = $1 AND id = $2', key);
  await transaction.query('UPDATE player_stats SET voided = voided + 1 WHERE player_id = $1', [playerId]);
  await recountPlayer(transaction, playerId);
  return game;
}

/** Reads and locks what an operator sees of a player's sums. No game of the player counts until the end of the transaction. */
export async function lockStats(
  transaction: EntityManager,
  playerId: string,
): Promise<{ score: number; wins: number; losses: number; draws: number } | undefined> {
  const [stats] = await transaction.query<{ score: number; wins: number; losses: number; draws: number }[]>(
    'SELECT score, wins, losses, draws FROM player_stats WHERE player_id = $1 FOR UPDATE',
    [playerId],
  );
  return stats;
}

/** Takes a player off the boards, or brings the player back. */
export async function listPlayer(transaction: EntityManager, playerId: string, listed: boolean): Promise<void> {
  await transaction.query(
    `INSERT INTO player_stats AS own (player_id, reached_at, listed) VALUES ($1, now(), $2)
     ON CONFLICT (player_id) DO UPDATE SET listed = excluded.listed WHERE own.listed <> excluded.listed`,
    [playerId, listed],
  );
}
