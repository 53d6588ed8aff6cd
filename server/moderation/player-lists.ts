import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { bansOfDeleted, identitiesOf } from '../auth/players/identities.repository.js';
import { cleanName } from '../auth/players/player-name.js';
import { countLive } from '../auth/sessions/session.entity.js';
import { isUuid } from '../base/uuid.js';
import { CountedGame } from '../stats/game.entity.js';
import { newestReasons, readAudit } from '../account/audit.repository.js';
import type { ModeratedPlayerType, PlayerList, PlayerOrder } from './moderated-player.type.js';

/** A player with the sums of all games. */
export interface ListedPlayer extends Omit<ModeratedPlayerType, 'picture' | 'isModerator'> {
  readonly email: string | null;
  readonly picture: string | null;
  readonly provider: string;
  /** The value by which the list is ordered. */
  readonly sortKey: Cursor[0];
}

/** The value by which a list is ordered, and the player. */
type Cursor = readonly [value: string | number, playerId: string];
type Order = keyof typeof PlayerOrder;

export interface PlayersWanted {
  readonly search?: string;
  readonly list: keyof typeof PlayerList;
  readonly orderBy: Order;
  /** Without it, all. */
  readonly first?: number;
  readonly after?: Cursor;
}

const LISTS = {
  all: { condition: 'true', date: 'p.created_at' },
  hidden: { condition: 'p.hidden_at IS NOT NULL', date: 'p.hidden_at' },
  banned: { condition: 'p.banned_at IS NOT NULL', date: 'p.banned_at' },
};

const GAMES = 's.wins + s.losses + s.draws';
const RATE = `s.wins::float8 / nullif(${GAMES}, 0)`;

/** PostgreSQL has no NUL. */
export const text = z.string().refine((value) => !value.includes('\0'), 'search must have no control characters');

const as = (type: string) => (value: string) => `${value}::${type}`;
const same = (value: string) => value;
const micros = (time: string) => `(extract(epoch FROM ${time}) * 1000000)::float8`;
const timeOf = (value: string) => `timestamptz 'epoch' + ${value}::float8 * interval '1 microsecond'`;

/** The collation is the same for each locale of the database, and its large letters have one form of ß, ς and ı. */
const folded = (value: string) => `upper(${value} COLLATE "und-x-icu")`;

/** How a list is ordered, and how the value gets into a cursor and back. Chance decides the rate of fewer than 30 games. */
const ORDERS = {
  name: { by: () => folded('p.name'), direction: 'ASC', games: 0, out: same, back: as('text'), cursor: text.max(200) },
  score: { by: () => 's.score', direction: 'DESC', games: 1, out: same, back: as('integer'), cursor: z.int32() },
  rate: { by: () => RATE, direction: 'DESC', games: 30, out: same, back: as('float8'), cursor: z.number() },
  date: { by: same, direction: 'DESC', games: 0, out: micros, back: timeOf, cursor: z.number().min(0).max(1e16) },
};

const PLAYERS = `p.id, p.name, p.email, p.picture, p.provider, p.created_at AS "createdAt", p.renamed_at AS "renamedAt",
  p.provider_name AS "providerName",
  p.hidden_at AS "hiddenAt", p.banned_at AS "bannedAt", p.banned_until AS "bannedUntil", coalesce(s.score, 0) AS score,
  coalesce(${GAMES}, 0) AS "totalGames", ${RATE} AS rate, s.last_game_at AS "lastGameAt"
  FROM players p LEFT JOIN player_stats s ON s.player_id = p.id`;

export async function listPlayers(manager: EntityManager, wanted: PlayersWanted): Promise<ListedPlayer[]> {
  const { condition, date } = LISTS[wanted.list];
  const { by, direction, games, out, back } = ORDERS[wanted.orderBy];
  const value = by(date);
  const values: unknown[] = [];
  const given = (one: unknown) => `$${values.push(one)}`;
  const conditions = [condition];
  if (games > 0) conditions.push(`${GAMES} >= ${games}`);
  if (wanted.search) conditions.push(matching(wanted.search, given));
  if (wanted.after) {
    const [at, id] = wanted.after;
    conditions.push(`(${value}, p.id) ${direction === 'ASC' ? '>' : '<'} (${back(given(at))}, ${given(id)}::uuid)`);
  }
  return manager.query<ListedPlayer[]>(
    `SELECT ${out(value)} AS "sortKey", ${PLAYERS} WHERE ${conditions.join(' AND ')}
     ORDER BY ${value} ${direction}, p.id ${direction} LIMIT ${given(wanted.first ?? null)}`,
    values,
  );
}

export function playersOf(manager: EntityManager, ids: readonly string[]): Promise<ListedPlayer[]> {
  return manager.query<ListedPlayer[]>(`SELECT p.name AS "sortKey", ${PLAYERS} WHERE p.id = ANY ($1)`, [ids]);
}

/** The id of a player, an email address, or a part of a name, shown or the provider's, which is cleaned as at the sign-in. */
function matching(search: string, given: (value: unknown) => string): string {
  if (isUuid(search)) return `p.id = ${given(search.toLowerCase())}`;
  const [email, name] = [search.trim(), cleanName(search) || search].map((wanted) => folded(given(wanted)));
  const names = ['p.name', "coalesce(p.provider_name, '')"].map((known) => `position(${name} IN ${folded(known)}) > 0`);
  return `(${folded('p.email')} = ${email} OR ${names.join(' OR ')})`;
}

export const cursorOf = ({ sortKey, id }: ListedPlayer) =>
  Buffer.from(JSON.stringify([sortKey, id])).toString('base64url');

/** The cursor of a list in this order. Clients must not read it. */
export function cursorIn(orderBy: Order) {
  const error = 'after must be the cursor of a player in this list';
  const cursor = z.tuple([ORDERS[orderBy].cursor, z.uuid()]);
  const isCursor = (value: unknown) => cursor.safeParse(value).success;
  return z.string(error).max(600, error).transform(readCursor).pipe(z.custom<Cursor>(isCursor, error));
}

function readCursor(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

const MOST_FOUND = 50;
const SHOWN = 10;

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
  const newest = { where: { playerId }, order: { finishedAt: 'DESC' }, take: SHOWN } as const;
  const games = await manager.getRepository(CountedGame).find(newest);
  return {
    ...toFound(player),
    renamed: player.renamedAt,
    providerName: player.providerName,
    until: player.bannedUntil,
    lastGame: player.lastGameAt,
    ...(await countLive(manager, playerId)),
    identities: identities.map(({ issuer, subject, createdAt }) => ({ issuer, subject, since: createdAt })),
    lastGames: games.map(({ id, source, difficulty, result, points, finishedAt: finished }) => {
      return { id, source, difficulty, result, points, finished };
    }),
    audit: await readAudit(manager, { playerId, limit: SHOWN }),
  };
}

function stateOf({ bannedAt, hiddenAt }: Pick<ListedPlayer, 'bannedAt' | 'hiddenAt'>): string {
  return bannedAt ? 'banned' : hiddenAt ? 'hidden' : '';
}

function toFound(player: ListedPlayer) {
  const { id, name, email, provider, score, totalGames: games, createdAt: created } = player;
  return { id, name, email, provider, score, games, state: stateOf(player), created };
}
