import { type DataSource, In } from 'typeorm';
import { playerById, searchPlayers } from '../../auth/players/stored-players.js';
import { identitiesOf } from '../../auth/players/identities.js';
import { mergedIdsOf } from '../../auth/players/merged-players.js';
import type { Player } from '../../auth/players/player.entity.js';
import { countLive } from '../../auth/sessions/sessions.service.js';
import { PlayerStats } from '../../counting/tables/player-stats.entity.js';
import { publicGameId } from '../../games/public-id.js';
import { type AuditEntry, readAudit } from './audit.js';

export interface FoundPlayer {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly provider: string;
  readonly score: number | null;
  readonly games: number | null;
  readonly state: string;
  readonly created: Date;
}

export interface ShownPlayer extends FoundPlayer {
  readonly renamed: Date | null;
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

const MOST_FOUND = 50;
const SHOWN_AUDIT = 10;
const SHOWN_GAMES = 10;

interface GameRow {
  readonly id: string;
  readonly playedBy: string;
  readonly finished: Date;
}

const GAMES = `
  SELECT id, player_id AS "playedBy", source, difficulty, result, points, finished_at AS finished FROM games
  WHERE player_id = ANY ($1) ORDER BY finished_at DESC LIMIT ${SHOWN_GAMES}`;

/** Finds players by id, by email address, or by a part of the name. */
export async function findPlayers({ manager }: DataSource, text: string): Promise<FoundPlayer[]> {
  const players = await searchPlayers(manager, text, MOST_FOUND);
  const stats = await manager.getRepository(PlayerStats).findBy({ playerId: In(players.map(({ id }) => id)) });
  const statsOf = new Map(stats.map((row) => [row.playerId, row]));
  return players.map((player) => toFound(player, statsOf.get(player.id)));
}

export async function showPlayer({ manager }: DataSource, playerId: string): Promise<ShownPlayer | undefined> {
  const player = await playerById(manager, playerId);
  if (!player) return undefined;
  const stats = await manager.getRepository(PlayerStats).findOneBy({ playerId });
  const identities = await identitiesOf(manager, playerId);
  const merged = await mergedIdsOf(manager, playerId);
  const playerIds = [playerId, ...merged];
  const games = await manager.query<GameRow[]>(GAMES, [playerIds]);
  return {
    ...toFound(player, stats),
    renamed: player.renamedAt,
    lastGame: stats?.lastGameAt ?? null,
    ...(await countLive(manager, playerId)),
    identities: identities.map(({ issuer, subject, createdAt }) => ({ issuer, subject, since: createdAt })),
    merged,
    lastGames: games.map(({ playedBy, ...game }) => ({ ...game, id: publicGameId(playedBy, game.id) })),
    audit: await readAudit(manager, { playerIds, limit: SHOWN_AUDIT }),
  };
}

function toFound(player: Player, stats: PlayerStats | null | undefined): FoundPlayer {
  const { id, name, email, provider, createdAt, bannedAt, hiddenAt } = player;
  return {
    ...{ id, name, email, provider },
    score: stats?.score ?? null,
    games: stats ? stats.wins + stats.losses + stats.draws : null,
    state: bannedAt ? 'banned' : hiddenAt ? 'hidden' : '',
    created: createdAt,
  };
}
