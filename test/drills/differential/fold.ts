import { isDeepStrictEqual } from 'node:util';
import { addResult, noStats, STATS_FIELDS, type Stats } from '../../../game/scoring.js';
import { weekOf } from '../../../game/week.js';
import { addGames, addToWeek, addWeeks, type Day, emptyWeek, type WeekSums } from './plain-sums.js';
import type { Differences } from './differences.js';
import type { Side } from './side.js';
import type { GamesByPlayer, StoredGame } from './stored-games.js';

/** What the games of a player add up to. */
interface Sums {
  readonly stats: Stats;
  readonly bonuses: number;
  readonly hard: { readonly draws: number; readonly inARow: number; readonly best: number };
  /** The newest day with verified games. */
  readonly day: Day | null;
  readonly weeks: ReadonlyMap<string, WeekSums>;
}

type Row = Record<string, unknown>;

const NO_SUMS: Sums = {
  stats: noStats,
  bonuses: 0,
  hard: { draws: 0, inARow: 0, best: 0 },
  day: null,
  weeks: new Map(),
};
/** The columns that only newer revisions have. */
const HARD = { hard_draws: 'draws', hard_draws_in_a_row: 'inARow', best_hard_draws: 'best' } as const;

/** Compares the sums in the tables of one side with its games, by the rules of game/. */
export async function checkSums(side: Side, games: GamesByPlayer, differences: Differences): Promise<void> {
  const say = (text: string) => differences.add(`sums of games (${side.name})`, text);
  const merged = await mergedOf(side);
  const weeks = await weeksOf(side);
  for (const row of await side.query<Row>('SELECT *, verified_day::text AS day FROM player_stats')) {
    const id = row.player_id as string;
    let sums = fold(games.get(id) ?? [], say);
    checkNumbers(games.get(id) ?? [], merged.has(id), say);
    for (const other of merged.get(id) ?? []) sums = addMerged(sums, fold(games.get(other) ?? [], say));
    const compare = (what: string, stored: unknown, computed: unknown) => {
      if (!isDeepStrictEqual(stored, computed)) {
        say(`${id}: ${what} is ${JSON.stringify(stored)}, the games give ${JSON.stringify(computed)}`);
      }
    };
    for (const field of STATS_FIELDS) compare(field, row[snake(field)], sums.stats[field]);
    compare('bonuses', row.bonuses, sums.bonuses);
    compare('the newest day', row.day && { day: row.day, games: row.verified_that_day }, sums.day);
    for (const [column, name] of Object.entries(HARD)) {
      if (column in row) compare(column, row[column], sums.hard[name]);
    }
    compare('weeks', sorted(weeks.get(id) ?? new Map()), sorted(sums.weeks));
  }
}

function fold(games: readonly StoredGame[], say: (text: string) => void): Sums {
  let { stats, bonuses } = NO_SUMS;
  let { draws, inARow, best } = NO_SUMS.hard;
  let newest: Day | null = null;
  const weeks = new Map<string, WeekSums>();
  for (const { player_id, number, result, difficulty, source, finished_at, ...stored } of games) {
    const { stats: sum, points, bonus } = addResult(stats, result, difficulty);
    stats = sum;
    bonuses += Number(bonus);
    if (points !== stored.points || bonus !== stored.bonus) {
      say(`${player_id} game ${number}: ${stored.points} points and bonus ${stored.bonus}, not ${points} and ${bonus}`);
    }
    if (difficulty === 'hard') {
      draws += Number(result === 'draw');
      inARow = result === 'lose' ? 0 : inARow + Number(result === 'draw');
      best = Math.max(best, inARow);
    }
    if (source !== 'verified') continue;
    const day = finished_at.toISOString().slice(0, 10);
    newest = addGames(newest, { day, games: 1 });
    weeks.set(weekOf(finished_at), addToWeek(weeks.get(weekOf(finished_at)) ?? emptyWeek, { result, points, day }));
  }
  return { stats, bonuses, hard: { draws, inARow, best }, day: newest, weeks };
}

/** The streak stays that of the first. */
function mergeStats(own: Stats, other: Stats): Stats {
  const added = STATS_FIELDS.map((field) => [field, own[field] + (field === 'winStreak' ? 0 : other[field])] as const);
  return Object.fromEntries(added) as unknown as Stats;
}

/** Only own games continue a streak and a run. */
function addMerged(own: Sums, other: Sums): Sums {
  const weeks = new Map(own.weeks);
  for (const [week, sums] of other.weeks) weeks.set(week, addWeeks(weeks.get(week) ?? emptyWeek, sums));
  return {
    stats: mergeStats(own.stats, other.stats),
    bonuses: own.bonuses + other.bonuses,
    hard: { ...own.hard, draws: own.hard.draws + other.hard.draws, best: Math.max(own.hard.best, other.hard.best) },
    day: other.day ? addGames(own.day, other.day) : own.day,
    weeks,
  };
}

/** The numbers of a merged player's games stand between those of the player who stays. */
function checkNumbers(games: readonly StoredGame[], hasMerged: boolean, say: (text: string) => void): void {
  for (const [at, { player_id, number }] of games.entries()) {
    const before = games[at - 1]?.number ?? 0;
    const wrong = hasMerged ? number <= before : number !== before + 1;
    if (wrong) say(`${player_id}: game ${number} follows game ${before}`);
  }
}

async function mergedOf(side: Side): Promise<Map<string, string[]>> {
  const rows = await side.query<{ player_id: string; ids: string[] }>(
    'SELECT player_id, array_agg(merged_id::text) AS ids FROM merged_players GROUP BY player_id',
  );
  return new Map(rows.map(({ player_id, ids }) => [player_id, ids]));
}

async function weeksOf(side: Side): Promise<Map<string, Map<string, WeekSums>>> {
  const rows = await side.query<WeekSums & { player_id: string; week: string }>(
    `SELECT player_id, week::text, score, wins, losses, draws, day_points AS "dayPoints" FROM player_weeks`,
  );
  const weeks = new Map<string, Map<string, WeekSums>>();
  for (const { player_id, week, ...sums } of rows) {
    weeks.set(player_id, (weeks.get(player_id) ?? new Map<string, WeekSums>()).set(week, sums));
  }
  return weeks;
}

const snake = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const sorted = (weeks: ReadonlyMap<string, WeekSums>) => [...weeks].sort(([one], [other]) => (one < other ? -1 : 1));
