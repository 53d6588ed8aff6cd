import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { ownerOf } from '../auth/players/merged-players.js';
import { isUuid } from '../base/uuid.js';
import { newestReasons } from './audit.js';
import type { PlayerList, PlayerOrder } from './moderated-player.type.js';

/** A player with the sums of all games. */
export interface ListedPlayer {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly picture: string | null;
  readonly provider: string;
  readonly createdAt: Date;
  readonly renamedAt: Date | null;
  readonly hiddenAt: Date | null;
  readonly bannedAt: Date | null;
  readonly bannedUntil: Date | null;
  readonly score: number;
  readonly totalGames: number;
  readonly wins: number;
  readonly rate: number | null;
  readonly lastGameAt: Date | null;
  /** Why the player is banned or hidden. */
  readonly decisionReason: string | null;
  /** Where the player stands in the order. */
  readonly place: Place[0];
}

export type List = keyof typeof PlayerList;
export type Order = keyof typeof PlayerOrder;

/** The value by which a list is ordered, and the player. */
export type Place = readonly [value: string | number, playerId: string];

/** Chance decides the rate of fewer games. */
const FEWEST_GAMES = 30;
const RATE = 's.wins::float8 / nullif(s.wins + s.losses + s.draws, 0)';
const DATES = { all: 'p.created_at', hidden: 'p.hidden_at', banned: 'p.banned_at' };
const micros = (time: string) => `(extract(epoch FROM ${time}) * 1000000)::float8`;

const LISTS = { all: 'true', hidden: 'p.hidden_at IS NOT NULL', banned: 'p.banned_at IS NOT NULL' };

/** PostgreSQL has no NUL. */
export const text = z.string().refine((value) => !value.includes('\0'), 'search must have no control characters');

/** The last part is the cursor's: PostgreSQL must be able to read its value. */
const ORDERS = {
  name: { value: () => 'lower(p.name)', type: 'text', down: false, games: 0, cursor: text.max(200) },
  score: { value: () => 's.score', type: 'integer', down: true, games: 1, cursor: z.int32() },
  rate: { value: () => RATE, type: 'float8', down: true, games: FEWEST_GAMES, cursor: z.number() },
  date: { value: (list: List) => micros(DATES[list]), type: 'float8', down: true, games: 0, cursor: z.number() },
};

const COLUMNS = `p.id, p.name, p.email, p.picture, p.provider, p.created_at AS "createdAt", p.renamed_at AS "renamedAt",
  p.hidden_at AS "hiddenAt", p.banned_at AS "bannedAt", p.banned_until AS "bannedUntil", coalesce(s.score, 0) AS score,
  coalesce(s.wins + s.losses + s.draws, 0) AS "totalGames", coalesce(s.wins, 0) AS wins, ${RATE} AS rate, s.last_game_at AS "lastGameAt"`;

export interface PlayersWanted {
  readonly search?: string | null;
  readonly list: List;
  readonly orderBy: Order;
  readonly first: number;
  readonly after?: Place | undefined;
}

/** The players of a list after a place. Each statement reads one list. */
export async function listPlayers(manager: EntityManager, wanted: PlayersWanted): Promise<ListedPlayer[]> {
  const { search, list, orderBy, first, after } = wanted;
  const { value: valueOf, type, down, games } = ORDERS[orderBy];
  const value = valueOf(list);
  const values: unknown[] = [];
  const given = (one: unknown) => `$${values.push(one)}`;
  const conditions = [LISTS[list]];
  if (games > 0) conditions.push(`s.wins + s.losses + s.draws >= ${games}`);
  if (search) conditions.push(await matching(manager, search, given));
  if (after) {
    conditions.push(`(${value}, p.id) ${down ? '<' : '>'} (${given(after[0])}::${type}, ${given(after[1])}::uuid)`);
  }
  const direction = down ? 'DESC' : 'ASC';
  const found = await manager.query<Omit<ListedPlayer, 'decisionReason'>[]>(
    `SELECT ${COLUMNS}, ${value} AS place FROM players p LEFT JOIN player_stats s ON s.player_id = p.id
     WHERE ${conditions.join(' AND ')} ORDER BY ${value} ${direction}, p.id ${direction} LIMIT ${given(first)}`,
    values,
  );
  return withReasons(manager, found);
}

/** These players, in no order. */
export async function playersOf(manager: EntityManager, ids: readonly string[]): Promise<ListedPlayer[]> {
  const found = await manager.query<Omit<ListedPlayer, 'decisionReason'>[]>(
    `SELECT ${COLUMNS}, p.name AS place FROM players p LEFT JOIN player_stats s ON s.player_id = p.id WHERE p.id = ANY ($1)`,
    [ids],
  );
  return withReasons(manager, found);
}

/** The id of a player, also of a merged one, an email address, or a part of a name. */
async function matching(manager: EntityManager, search: string, given: (value: unknown) => string): Promise<string> {
  if (isUuid(search)) return `p.id = ${given(await ownerOf(manager, search.toLowerCase()))}`;
  const text = `lower(${given(search)})`;
  return `(lower(p.email) = ${text} OR position(${text} IN lower(p.name)) > 0)`;
}

async function withReasons(
  manager: EntityManager,
  players: readonly Omit<ListedPlayer, 'decisionReason'>[],
): Promise<ListedPlayer[]> {
  const decided = players.filter(({ hiddenAt, bannedAt }) => hiddenAt ?? bannedAt).map(({ id }) => id);
  const reasonOf = await newestReasons(manager, decided);
  return players.map((player) => {
    const action = player.bannedAt ? 'player.ban' : 'player.hide';
    const isDecided = player.hiddenAt ?? player.bannedAt;
    return { ...player, decisionReason: (isDecided && reasonOf(player.id, action)) || null };
  });
}

/** Where a page ends. Its form is nobody's business. */
export const cursorOf = ({ place, id }: ListedPlayer) =>
  Buffer.from(JSON.stringify([place, id] satisfies Place)).toString('base64url');

/** The cursor of a list in this order. */
export function cursorIn(orderBy: Order) {
  const wrong = { error: 'after must be the cursor of a player in this list' };
  const place = z.tuple([ORDERS[orderBy].cursor, z.uuid()]);
  const readPlace = (text: string): unknown => {
    try {
      return JSON.parse(Buffer.from(text, 'base64url').toString());
    } catch {
      return undefined;
    }
  };
  const isPlace = (value: unknown) => place.safeParse(value).success;
  return z.string(wrong).max(600, wrong).transform(readPlace).pipe(z.custom<Place>(isPlace, wrong));
}
