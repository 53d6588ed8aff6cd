import type { DataSource } from 'typeorm';
import { publicGameId } from '../../games/public-id.js';
import { type AuditEntry, readAudit } from './audit.js';
import { mergedInto } from './owner.js';

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
  readonly lastGame: Date | null;
  /** The newest games, with the ids that the API uses. */
  readonly lastGames: readonly object[];
  /** The newest entries about the player and the merged ones. */
  readonly audit: readonly AuditEntry[];
}

const MOST_FOUND = 50;
const SHOWN_AUDIT = 10;
const SHOWN_GAMES = 10;

const PLAYER = `
  players.id, name, email, provider, score, wins + losses + draws AS games,
  CASE WHEN banned_at IS NOT NULL THEN 'banned' WHEN hidden_at IS NOT NULL THEN 'hidden' ELSE '' END AS state,
  created_at AS created`;

const FIND = `
  SELECT ${PLAYER} FROM players LEFT JOIN player_stats ON player_id = players.id
  WHERE players.id::text = lower($1) OR lower(email) = lower($1) OR position(lower($1) IN lower(name)) > 0
  ORDER BY lower(name), players.id LIMIT ${MOST_FOUND}`;

const SHOW = `
  SELECT ${PLAYER}, renamed_at AS renamed, last_game_at AS "lastGame",
    (SELECT count(*)::integer FROM sessions
      WHERE player_id = players.id AND revoked_at IS NULL AND expires_at > now()) AS "liveSessions"
  FROM players LEFT JOIN player_stats ON player_id = players.id WHERE players.id = $1`;

const IDENTITIES =
  'SELECT issuer, subject, created_at AS since FROM identities WHERE player_id = $1 ORDER BY created_at';

interface GameRow {
  readonly id: string;
  readonly playedBy: string;
  readonly finished: Date;
}

const GAMES = `
  SELECT id, player_id AS "playedBy", source, difficulty, result, points, finished_at AS finished FROM games
  WHERE player_id = ANY ($1) ORDER BY finished_at DESC LIMIT ${SHOWN_GAMES}`;

/** Finds players by id, by email address, or by a part of the name. */
export function findPlayers(database: DataSource, text: string): Promise<FoundPlayer[]> {
  return database.query<FoundPlayer[]>(FIND, [text]);
}

export async function showPlayer(database: DataSource, playerId: string): Promise<ShownPlayer | undefined> {
  const [player] = await database.query<Omit<ShownPlayer, 'identities' | 'merged' | 'lastGames' | 'audit'>[]>(SHOW, [
    playerId,
  ]);
  if (!player) return undefined;
  const identities = await database.query<ShownPlayer['identities']>(IDENTITIES, [playerId]);
  const merged = await mergedInto(database, playerId);
  const playerIds = [playerId, ...merged];
  const games = await database.query<GameRow[]>(GAMES, [playerIds]);
  const lastGames = games.map(({ playedBy, ...game }) => ({ ...game, id: publicGameId(playedBy, game.id) }));
  return {
    ...player,
    identities,
    merged,
    lastGames,
    audit: await readAudit(database, { playerIds, limit: SHOWN_AUDIT }),
  };
}
