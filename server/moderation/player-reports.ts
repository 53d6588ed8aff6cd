import type { EntityManager } from 'typeorm';
import { bansOfDeleted, identitiesOf } from '../auth/players/identities.js';
import { countLive } from '../auth/sessions/session.js';
import { newestReasons, readAudit } from './audit.js';
import { type ListedPlayer, listPlayers, playersOf } from './player-lists.js';

const MOST_FOUND = 50;
const SHOWN_AUDIT = 10;
const SHOWN_GAMES = 10;

interface GameRow {
  readonly id: string;
  readonly finished: Date;
}

const GAMES = `
  SELECT id, source, difficulty, result, points, finished_at AS finished FROM games
  WHERE player_id = $1 ORDER BY finished_at DESC LIMIT ${SHOWN_GAMES}`;

/** Finds players by id, by email address, or by a part of the name. */
export async function findPlayers(manager: EntityManager, search: string) {
  const found = await listPlayers(manager, { search, list: 'all', orderBy: 'name', first: MOST_FOUND });
  return found.map(toFound);
}

/** All hidden or banned players, the newest decision first; then the bans of deleted accounts. */
export async function decidedPlayers(manager: EntityManager, list: 'hidden' | 'banned') {
  const found = await listPlayers(manager, { list, orderBy: 'date' });
  const deleted = list === 'banned' ? await bansOfDeleted(manager) : [];
  const ids = [...found.map(({ id }) => id), ...deleted.map(({ playerId }) => playerId)];
  const reasonOf = await newestReasons(manager, ids);
  const players = found.map(({ id, name, score, hiddenAt, bannedAt, bannedUntil: until }) => {
    const reason = reasonOf(id, bannedAt ? 'player.ban' : 'player.hide');
    return { since: list === 'banned' ? bannedAt : hiddenAt, until, id, name, score, reason };
  });
  const gone = deleted.map(({ playerId: id, createdAt: since, until }) => {
    return { since, until, id, name: null, score: null, reason: reasonOf(id, 'player.ban') };
  });
  return [...players, ...gone];
}

/** A player with the newest games and the newest entries of the audit. */
export async function showPlayer(manager: EntityManager, playerId: string) {
  const [player] = await playersOf(manager, [playerId]);
  if (!player) return undefined;
  const identities = await identitiesOf(manager, playerId);
  const games = await manager.query<GameRow[]>(GAMES, [playerId]);
  return {
    ...toFound(player),
    renamed: player.renamedAt,
    until: player.bannedUntil,
    lastGame: player.lastGameAt,
    ...(await countLive(manager, playerId)),
    identities: identities.map(({ issuer, subject, createdAt }) => ({ issuer, subject, since: createdAt })),
    lastGames: games,
    audit: await readAudit(manager, { playerId, limit: SHOWN_AUDIT }),
  };
}

function stateOf({ bannedAt, hiddenAt }: Pick<ListedPlayer, 'bannedAt' | 'hiddenAt'>): string {
  return bannedAt ? 'banned' : hiddenAt ? 'hidden' : '';
}

function toFound(player: ListedPlayer) {
  const { id, name, email, provider, score, totalGames: games, createdAt: created } = player;
  return { id, name, email, provider, score, games, state: stateOf(player), created };
}
