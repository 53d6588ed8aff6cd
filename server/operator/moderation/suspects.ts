import type { EntityManager } from 'typeorm';
import { ownerOf } from '../../auth/players/merged-players.js';
import { playerById } from '../../auth/players/stored-players.js';
import { MOST_CHANCE, type PlayedGame, playAlike, suspicionOf } from './suspicion.js';

export interface Suspect {
  readonly score: number;
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly games: number;
  readonly reasons: readonly string[];
  /** The command that shows the player. An operator decides. */
  readonly next: string;
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

/** Players whose verified games of the last days look like those of a program, the most suspicious first. Changes nothing. */
export async function findSuspects(
  manager: EntityManager,
  { days, least, gamesPerDay }: { days: number; least: number; gamesPerDay: number },
): Promise<Suspect[]> {
  const found: { id: string; games: readonly PlayedGame[]; score: number; reasons: readonly string[] }[] = [];
  for (const { id } of await manager.query<{ id: string }[]>(BUSIEST, [days])) {
    const games = await manager.query<PlayedGame[]>(GAMES, [id, days]);
    const suspicion = suspicionOf(games, gamesPerDay);
    if (suspicion.score >= Math.min(COMPARED, least)) found.push({ id, games, ...suspicion });
  }
  const compared = found.map((one) => {
    const alike = found.filter((other) => other !== one && playAlike(one.games, other.games));
    if (alike.length === 0) return one;
    const reason = `in the same hours at the same pace as ${alike.length} of these players, such as ${alike[0]!.id}`;
    return { ...one, score: one.score + ALIKE, reasons: [...one.reasons, reason] };
  });
  const named = compared.filter(({ score }) => score >= least).toSorted((one, other) => other.score - one.score);
  return Promise.all(named.map((one) => toSuspect(manager, one)));
}

async function toSuspect(
  manager: EntityManager,
  {
    id: playedBy,
    score,
    games,
    reasons,
  }: { id: string; score: number; games: readonly object[]; reasons: readonly string[] },
): Promise<Suspect> {
  const id = await ownerOf(manager, playedBy);
  const player = await playerById(manager, id);
  const state = player?.bannedAt ? 'banned' : player?.hiddenAt ? 'hidden' : '';
  return { score, id, name: player?.name ?? '', state, games: games.length, reasons, next: `ttt player show ${id}` };
}
