import type { EntityManager } from 'typeorm';
import { bansOfDeleted, identitiesOf } from '../auth/players/identities.js';
import { mergedIdsOf } from '../auth/players/merged-players.js';
import { countLive } from '../auth/sessions/sessions.service.js';
import { publicGameId } from '../games/public-id.js';
import { type AuditEntry, newestReasons, readAudit } from './audit.js';
import { type List, type ListedPlayer, listPlayers, type Place, playersOf } from './player-lists.js';

export interface FoundPlayer {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly provider: string;
  readonly score: number;
  readonly games: number;
  readonly state: string;
  readonly created: Date;
}

export interface ShownPlayer extends FoundPlayer {
  readonly renamed: Date | null;
  readonly until: Date | null;
  readonly identities: readonly { issuer: string; subject: string; since: Date }[];
  /** The ids of the accounts that became part of this one. */
  readonly merged: readonly string[];
  readonly liveSessions: number;
  readonly liveTokens: number;
  readonly lastGame: Date | null;
  /** The newest games, with the ids that the API uses. */
  readonly lastGames: readonly object[];
  /** The newest entries about the player and the merged ones. */
  readonly audit: readonly AuditEntry[];
}

/** A hidden or banned player. `name` is null for a ban whose account is deleted. */
interface DecidedPlayer {
  readonly since: Date;
  readonly until: Date | null;
  readonly id: string;
  readonly name: string | null;
  readonly score: number | null;
  readonly reason: string | null;
}

const MOST_FOUND = 50;
const SHOWN_AUDIT = 10;
const SHOWN_GAMES = 10;
const PAGE = 1_000;

interface GameRow {
  readonly id: string;
  readonly playedBy: string;
  readonly finished: Date;
}

const GAMES = `
  SELECT id, player_id AS "playedBy", source, difficulty, result, points, finished_at AS finished FROM games
  WHERE player_id = ANY ($1) ORDER BY finished_at DESC LIMIT ${SHOWN_GAMES}`;

/** Finds players by id, by email address, or by a part of the name. */
export async function findPlayers(manager: EntityManager, search: string): Promise<FoundPlayer[]> {
  const found = await listPlayers(manager, { search, list: 'all', orderBy: 'name', first: MOST_FOUND });
  return found.map(toFound);
}

/** All hidden or banned players, the newest decision first; then the bans of deleted accounts. */
export async function decidedPlayers(manager: EntityManager, list: Exclude<List, 'all'>): Promise<DecidedPlayer[]> {
  const players: DecidedPlayer[] = [];
  let after: Place | undefined;
  do {
    const page = await listPlayers(manager, { list, orderBy: 'date', first: PAGE, after });
    for (const { id, name, score, decisionReason: reason, hiddenAt, bannedAt, bannedUntil } of page) {
      players.push({ since: (list === 'banned' ? bannedAt : hiddenAt)!, until: bannedUntil, id, name, score, reason });
    }
    after = page.length === PAGE ? [page.at(-1)!.place, page.at(-1)!.id] : undefined;
  } while (after);
  if (list === 'hidden') return players;
  const deleted = await bansOfDeleted(manager);
  const reasonOf = await newestReasons(
    manager,
    deleted.map(({ playerId }) => playerId),
  );
  const withoutAccount = deleted.map(({ playerId: id, createdAt: since, until }) => {
    return { since, until, id, name: null, score: null, reason: reasonOf(id, 'player.ban') ?? null };
  });
  return [...players, ...withoutAccount];
}

export async function showPlayer(manager: EntityManager, playerId: string): Promise<ShownPlayer | undefined> {
  const [player] = await playersOf(manager, [playerId]);
  if (!player) return undefined;
  const identities = await identitiesOf(manager, playerId);
  const merged = await mergedIdsOf(manager, playerId);
  const playerIds = [playerId, ...merged];
  const games = await manager.query<GameRow[]>(GAMES, [playerIds]);
  return {
    ...toFound(player),
    renamed: player.renamedAt,
    until: player.bannedUntil,
    lastGame: player.lastGameAt,
    ...(await countLive(manager, playerId)),
    identities: identities.map(({ issuer, subject, createdAt }) => ({ issuer, subject, since: createdAt })),
    merged,
    lastGames: games.map(({ playedBy, ...game }) => ({ ...game, id: publicGameId(playedBy, game.id) })),
    audit: await readAudit(manager, { playerIds, limit: SHOWN_AUDIT }),
  };
}

export function stateOf({ bannedAt, hiddenAt }: Pick<ListedPlayer, 'bannedAt' | 'hiddenAt'>): string {
  return bannedAt ? 'banned' : hiddenAt ? 'hidden' : '';
}

function toFound(player: ListedPlayer): FoundPlayer {
  const { id, name, email, provider, score, totalGames, createdAt } = player;
  return { id, name, email, provider, score, games: totalGames, state: stateOf(player), created: createdAt };
}
