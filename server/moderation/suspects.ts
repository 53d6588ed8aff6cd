import { setImmediate } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { ownersOf } from '../auth/players/merged-players.js';
import { type ListedPlayer, playersOf } from './player-lists.js';
import {
  type Manner,
  mannerOf,
  MOST_CHANCE,
  type PlayedGame,
  playAlike,
  type Suspicion,
  suspicionOf,
} from './suspicion.js';

/** The games under one id. A merged account leads to the player who has them. */
export interface Suspect extends Suspicion {
  readonly playedBy: string;
  readonly games: number;
}

/** Players with the most games are looked at first, and no more than these. */
const MOST_PLAYERS = 2_000;
/** The score of accounts that are compared with each other, and what one gets for playing like others. */
const COMPARED = 30;
const ALIKE = 20;

const BUSIEST = `
  SELECT player_id AS id FROM games WHERE source = 'verified' AND started_at IS NOT NULL AND finished_at >= now() - $1 * interval '1 day'
  GROUP BY player_id HAVING count(*) >= ${MOST_CHANCE} ORDER BY count(*) DESC, player_id LIMIT ${MOST_PLAYERS}`;

const GAMES = `
  SELECT difficulty, result, moves, started_at AS "startedAt", finished_at AS "finishedAt" FROM games
  WHERE player_id = $1 AND source = 'verified' AND started_at IS NOT NULL AND finished_at >= now() - $2 * interval '1 day' ORDER BY finished_at`;

/**
 * Players whose verified games of the last days look like those of a program, the most suspicious first. Changes nothing.
 * @throws when `stopping` is aborted
 */
export async function findSuspects(
  database: { query: EntityManager['query'] },
  { days, least, gamesPerDay }: { days: number; least: number; gamesPerDay: number },
  stopping?: AbortSignal,
): Promise<Suspect[]> {
  const found: (Suspect & { readonly manner: Manner })[] = [];
  for (const { id } of await database.query<{ id: string }[]>(BUSIEST, [days])) {
    stopping?.throwIfAborted();
    const games = await database.query<PlayedGame[]>(GAMES, [id, days]);
    const suspicion = suspicionOf(games, gamesPerDay);
    if (suspicion.score < Math.min(COMPARED, least)) continue;
    found.push({ playedBy: id, games: games.length, manner: mannerOf(games), ...suspicion });
  }
  const compared: Suspect[] = [];
  for (const { manner, ...one } of found) {
    // Many suspects take long to compare: requests go on between two.
    await setImmediate(undefined, { signal: stopping });
    const alike = found.filter((other) => other.playedBy !== one.playedBy && playAlike(manner, other.manner));
    const reason = `in the same hours at the same pace as ${alike.length} of these players, such as ${alike[0]?.playedBy}`;
    compared.push(alike.length === 0 ? one : { ...one, score: one.score + ALIKE, reasons: [...one.reasons, reason] });
  }
  return compared.filter(({ score }) => score >= least).toSorted((one, other) => other.score - one.score);
}

/** The suspects with the players who have their games now. */
export async function namedSuspects(
  manager: EntityManager,
  found: readonly Suspect[],
): Promise<(Suspect & { readonly player: ListedPlayer })[]> {
  if (found.length === 0) return [];
  const owners = await ownersOf(
    manager,
    found.map(({ playedBy }) => playedBy),
  );
  const players = await playersOf(manager, owners);
  return found.flatMap((suspect, at) => {
    const player = players.find(({ id }) => id === owners[at]);
    return player ? [{ ...suspect, player }] : [];
  });
}
