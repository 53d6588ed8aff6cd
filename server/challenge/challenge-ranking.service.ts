import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CHALLENGE_GAMES, type ChallengeResult, compareResults } from '../../game/challenge.js';
import { type Dare, dareCode, readDare } from '../../game/dare.js';
import { weekOf } from '../../game/week.js';
import { pictureOf } from '../auth/players/picture.js';
import { forAll } from '../base/current-work.js';
import { Clock, dayBefore, utcDay } from '../base/clock.js';
import { Env } from '../settings/env.js';
import { LruCache } from '../base/lru-cache.js';
import { MAX_LIMIT } from '../base/most-entries.js';
import { sharedReads } from '../database/shared-reads.js';
import type { Preview } from '../web/page/changes.js';
import { resultOf } from './attempt.js';
import { ChallengeDays } from './challenge-days.service.js';
import type { ChallengeEntryType, RivalType } from './challenge.type.js';

interface ResultCount extends ChallengeResult {
  readonly players: number;
}

interface EntryRow extends ChallengeResult {
  readonly playerId: string;
  readonly name: string;
  readonly picture: string | null;
  readonly games: readonly string[];
}

/** The games are those of today, once the fifth is finished. */
type RivalRow = Omit<RivalType, 'today'> & EntryRow;

/** How many players have each result. Five games allow less than 200. */
type Totals = readonly ResultCount[];

interface DayRanking {
  readonly totals: Totals;
  /** The best players, as many as one answer may have. */
  readonly first: readonly ChallengeEntryType[];
}

interface Known {
  readonly asOf: number;
  /** Whether the day was over when it was read. At its end, players with unfinished games get a place too. */
  readonly over: boolean;
  readonly ranking: Promise<DayRanking>;
}

/** The greatest age of a ranking that readers get, in milliseconds. A day that is over hardly changes. */
const MAX_AGE = { ofToday: 1_000, ofEarlierDays: 10_000 };
/** A ranking has about 20 kB. */
const KNOWN_DAYS = 100;

const DARE = "Today's five games of Tic-Tac-Toe are the same for everybody. Can you beat that?";

/** While the day runs, only finished attempts have a place. $2 says whether it is over. Hidden players have none. */
const WITH_PLACE = `day = $1 AND (finished = ${CHALLENGE_GAMES} OR $2)
  AND player_id NOT IN (SELECT s.player_id FROM player_stats s WHERE NOT s.listed)`;

const TOTALS = `
  SELECT wins, draws, total_moves AS "totalMoves", count(*)::integer AS players
  FROM challenge_attempts WHERE ${WITH_PLACE} GROUP BY wins, draws, total_moves`;

const entries = (condition: string) => `
  SELECT a.player_id AS "playerId", p.name, p.picture, a.wins, a.draws, a.total_moves AS "totalMoves", a.games
  FROM challenge_attempts a JOIN players p ON p.id = a.player_id
  WHERE ${WITH_PLACE} AND ${condition}
  ORDER BY a.wins DESC, a.draws DESC, a.total_moves, a.player_id LIMIT $3`;

const FIRST_ENTRIES = entries('true');
const ENTRY_OF_PLAYER = entries('a.player_id = $4');
const ENTRIES_OF_PLAYERS = entries('a.player_id = ANY ($4)');
const ENTRIES_OF_TAKERS = entries('a.dared_by = $4');
const FURTHER_ENTRIES = entries(`(-a.wins, -a.draws, a.total_moves, a.player_id) >
  (SELECT -wins, -draws, total_moves, player_id FROM challenge_attempts WHERE player_id = $4 AND ${WITH_PLACE})`);

const RIVALRY = { days: 28, rivals: 50 };

const compared = (by: '>' | '=' | '<') =>
  `(own.wins, own.draws, -own.total_moves) ${by} (a.wins, a.draws, -a.total_moves)`;
const days = (by: '>' | '=' | '<') => `count(*) FILTER (WHERE a.day < $3 AND ${compared(by)})::integer`;

/**
 * The players whom a dare has brought together with the player $1 from the day $2 to today, $3. A taker has one attempt a day, so
 * the newest attempts have enough takers. It reads twice as many as it shows: some may be hidden. A hidden player has no rivals.
 */
const RIVALS = `
  WITH own AS MATERIALIZED (
    SELECT day, wins, draws, total_moves, finished, dared_by, started_at[1] AS at
    FROM challenge_attempts WHERE player_id = $1 AND day BETWEEN $2 AND $3
  ), rivals AS MATERIALIZED (
    SELECT id, max(at) AS at FROM (
      SELECT dared_by AS id, at FROM own WHERE dared_by IS NOT NULL UNION ALL (
        SELECT player_id, started_at[1] FROM challenge_attempts WHERE dared_by = $1 AND day BETWEEN $2 AND $3
        ORDER BY day DESC LIMIT ${RIVALRY.rivals * RIVALRY.days})
    ) AS met GROUP BY id ORDER BY max(at) DESC, id LIMIT ${2 * RIVALRY.rivals}
  )
  SELECT p.id AS "playerId", p.name, p.picture, coalesce(w.score, 0) AS "weekScore",
    t.wins, t.draws, t.total_moves AS "totalMoves", coalesce(t.games, '{}') AS games,
    ${days('>')} AS "daysWon", ${days('=')} AS "daysDrawn", ${days('<')} AS "daysLost",
    max(a.day) FILTER (WHERE ${compared('<')})::text AS "lastLost"
  FROM players p JOIN rivals r ON r.id = p.id AND p.hidden_at IS NULL AND p.banned_at IS NULL
  LEFT JOIN player_weeks w ON w.player_id = p.id AND w.week = $4
  LEFT JOIN challenge_attempts t ON t.player_id = p.id AND t.day = $3 AND t.finished = ${CHALLENGE_GAMES}
  LEFT JOIN challenge_attempts a ON a.player_id = p.id AND a.day BETWEEN $2 AND $3
  LEFT JOIN own ON own.day = a.day AND (a.day < $3 OR least(a.finished, own.finished) = ${CHALLENGE_GAMES})
  WHERE EXISTS (SELECT 1 FROM players me WHERE me.id = $1 AND me.hidden_at IS NULL)
  GROUP BY p.id, w.score, t.wins, t.draws, t.total_moves, t.games, r.at
  ORDER BY r.at DESC, p.id LIMIT ${RIVALRY.rivals}`;

/** The players of a day by wins, then draws, then the fewest moves. Equal results share a place. */
@Injectable()
export class ChallengeRankingService {
  private readonly known = new LruCache<Known>(KNOWN_DAYS);

  constructor(
    private readonly database: DataSource,
    private readonly days: ChallengeDays,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  /** Whether no game of this UTC day begins any more. */
  isOver(day: string): boolean {
    return day < utcDay(this.clock.now());
  }

  async playersOf(day: string): Promise<number> {
    const { totals } = await this.rankingOf(day);
    return totals.reduce((sum, { players }) => sum + players, 0);
  }

  /** The best players in order; with `after`, those that follow that player. */
  async entriesOf(day: string, limit: number, after?: string): Promise<ChallengeEntryType[]> {
    const ranking = await this.rankingOf(day);
    const values = [day, this.isOver(day), limit, after];
    const further = after === undefined ? undefined : await this.database.query<EntryRow[]>(FURTHER_ENTRIES, values);
    const entries = further?.map((row) => this.toEntry(row, ranking.totals)) ?? ranking.first.slice(0, limit);
    return entries.map((entry) => this.publicPartOf(day, entry));
  }

  /** @returns null for a player without a place: not finished, hidden or gone */
  async entryOf(day: string, playerId: string): Promise<ChallengeEntryType | null> {
    const [row] = await this.database.query<EntryRow[]>(ENTRY_OF_PLAYER, [day, this.isOver(day), 1, playerId]);
    return row ? this.publicPartOf(day, this.toEntry(row, (await this.rankingOf(day)).totals)) : null;
  }

  /** The place of a result of the day, and how many players have one. */
  async standingOf(day: string, result: ChallengeResult): Promise<{ place: number; players: number }> {
    const place = placeIn((await this.rankingOf(day)).totals, result);
    // The last attempts may be missing in the ranking for a second.
    return { place, players: Math.max(place, await this.playersOf(day)) };
  }

  /** Who came by the player's link of a day and has finished, best first. */
  takersOf({ day, playerId }: Dare): Promise<EntryRow[]> {
    return this.database.query<EntryRow[]>(ENTRIES_OF_TAKERS, [day, false, MAX_LIMIT, playerId]);
  }

  async rivalsOf(playerId: string): Promise<RivalType[]> {
    const day = utcDay(this.clock.now());
    const values = [playerId, dayBefore(day, RIVALRY.days - 1), day, weekOf(new Date(day))];
    const rows = await this.database.query<RivalRow[]>(RIVALS, values);
    const { totals } = await this.rankingOf(day);
    return rows.map((row) => {
      const entry = this.publicPartOf(day, this.toEntry(row, totals));
      return { ...row, picture: entry.picture, today: row.games.length > 0 ? entry : null };
    });
  }

  /** @returns null for a link of another day, and to a player without a place today */
  async previewOf(link: string): Promise<Preview | null> {
    const dare = readDare(link);
    if (dare?.day !== utcDay(this.clock.now())) return null;
    const result = await this.todaysOf(dare.playerId);
    if (!result) return null;
    const title = `${result.name} dares you: ${result.wins} of ${CHALLENGE_GAMES}`;
    return { title, description: DARE, link: dareCode(dare) };
  }

  /** Nobody knows how many programs look at a link, so they share the statement. */
  private readonly todaysOf = sharedReads<string, EntryRow | null>(async (ids) => {
    const values = [utcDay(this.clock.now()), false, ids.length, ids];
    const rows = await this.database.query<EntryRow[]>(ENTRIES_OF_PLAYERS, values);
    return ids.map((id) => rows.find(({ playerId }) => playerId === id) ?? null);
  });

  /** After a change by this server, so that players see their own. */
  forget(day: string): void {
    this.known.delete(day);
  }

  private publicPartOf(day: string, entry: ChallengeEntryType): ChallengeEntryType {
    return this.days.isPublished(day) ? entry : { ...entry, moves: null };
  }

  private rankingOf(day: string): Promise<DayRanking> {
    const now = performance.now();
    const over = this.isOver(day);
    const known = this.known.get(day);
    if (known && known.over === over && now - known.asOf < (over ? MAX_AGE.ofEarlierDays : MAX_AGE.ofToday))
      return known.ranking;
    const read = () => this.readRanking(day, over);
    // Older days are many: their readers wait in their own turns, and share what is there. Of the others, all wait for the
    // ranking that the first reader asks for, whose network may have a long queue.
    const isOlder = day < dayBefore(utcDay(this.clock.now()));
    const ranking = isOlder ? read() : forAll(read);
    const keep = () => this.known.set(day, { asOf: now, over, ranking });
    if (!isOlder) keep();
    // After a failure the next reader tries again.
    const drop = () => this.known.get(day)?.ranking === ranking && this.forget(day);
    void ranking.then(() => isOlder && keep(), drop);
    return ranking;
  }

  private async readRanking(day: string, over: boolean): Promise<DayRanking> {
    const totals = await this.database.query<ResultCount[]>(TOTALS, [day, over]);
    const rows = await this.database.query<EntryRow[]>(FIRST_ENTRIES, [day, over, MAX_LIMIT]);
    return { totals, first: rows.map((row) => this.toEntry(row, totals)) };
  }

  private toEntry(row: EntryRow, totals: Totals): ChallengeEntryType {
    const { games, ...entry } = row;
    return {
      ...entry,
      place: placeIn(totals, row),
      picture: pictureOf({ id: row.playerId, picture: row.picture }, this.env.publicOrigin),
      // After the day, a game that was not finished is lost.
      results: games.map((squares) => resultOf(squares) ?? 'lose'),
      moves: [...games],
    };
  }
}

function placeIn(totals: Totals, result: ChallengeResult): number {
  const better = totals.filter((row) => compareResults(row, result) < 0);
  return better.reduce((sum, { players }) => sum + players, 1);
}
