import type { Difficulty } from '../../game/bot.js';
import { type Board, emptyBoard, place, type Square } from '../../game/board.js';
import { opponentOf, perfectResult } from '../../game/minimax.js';
import type { Result } from '../../game/rules.js';

/** A verified game of a player, in the order in which they were finished. */
export interface PlayedGame {
  readonly difficulty: Difficulty;
  readonly result: Result;
  /** The squares of both sides in order. */
  readonly moves: readonly Square[];
  readonly startedAt: Date;
  readonly finishedAt: Date;
}

/** What speaks for a program, from 0 for nothing to about 200. */
export interface Suspicion {
  readonly score: number;
  readonly reasons: readonly string[];
}

/** Enough games to tell chance from regularity. */
export const MOST_CHANCE = 30;
/** In so many games even a perfect player who does not know the seed misses a win: the chance of none is 2 %. */
const FAULTLESS = 200;
const MINUTE = 60_000;
/** A longer pause ends a sitting. */
const SITTING = 5 * MINUTE;

/** @param gamesPerDay the daily limit; 0 means none */
export function suspicionOf(games: readonly PlayedGame[], gamesPerDay: number): Suspicion {
  const signs = [pace(games), pauses(games), daysAtLimit(games, gamesPerDay), wins(games), mistakes(games)];
  const found = signs.filter((sign) => sign !== undefined);
  return { score: found.reduce((sum, [points]) => sum + points, 0), reasons: found.map(([, reason]) => reason) };
}

/** When and how fast somebody plays. */
export interface Manner {
  /** The hours with a game are the bits. The first word has the hours from `32 * start` on. */
  readonly bits: Uint32Array;
  readonly start: number;
  readonly hours: number;
  readonly pace: number;
}

export function mannerOf(games: readonly PlayedGame[]): Manner {
  const hours = [...new Set(games.map(({ finishedAt }) => Math.floor(finishedAt.getTime() / (60 * MINUTE))))];
  const start = (hours[0] ?? 0) >> 5;
  const bits = new Uint32Array(((hours.at(-1) ?? 0) >> 5) - start + 1);
  for (const hour of hours) bits[(hour >> 5) - start]! |= 1 << (hour & 31);
  return { bits, start, hours: hours.length, pace: median(secondsPerMove(games)) };
}

/** Two accounts play alike when they play in the same hours at the same pace. */
export function playAlike({ bits, start, hours, pace }: Manner, other: Manner): boolean {
  if (Math.abs(pace / other.pace - 1) > 0.1) return false;
  let common = 0;
  for (let at = 0; at < bits.length; at++) common += onesIn(bits[at]! & (other.bits[start + at - other.start] ?? 0));
  return common / (hours + other.hours - common) >= 0.7;
}

/** How many bits of 32 are 1: first in each pair of bits, then in each four, then in each eight, and the sum of these. */
function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

type Sign = readonly [points: number, reason: string] | undefined;

function pace(games: readonly PlayedGame[]): Sign {
  const seconds = secondsPerMove(games);
  const spread = spreadOf(seconds);
  if (games.length < MOST_CHANCE || spread >= 0.3) return undefined;
  return [
    spread < 0.15 ? 50 : 30,
    `${median(seconds).toFixed(1)} s a move, eight games of ten within ${percent(spread)}`,
  ];
}

function pauses(games: readonly PlayedGame[]): Sign {
  const all = games.slice(1).map(({ startedAt }, at) => startedAt.getTime() - games[at]!.finishedAt.getTime());
  const short = all.filter((pause) => pause < SITTING).map((pause) => Math.max(pause, 100));
  const spread = spreadOf(short);
  if (short.length < MOST_CHANCE || spread >= 0.4) return undefined;
  return [
    20,
    `pauses of ${(median(short) / 1_000).toFixed(1)} s between games, eight of ten within ${percent(spread)}`,
  ];
}

function daysAtLimit(games: readonly PlayedGame[], gamesPerDay: number): Sign {
  const counts = new Map<string, number>();
  for (const { finishedAt } of games) {
    const day = finishedAt.toISOString().slice(0, 10);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const days = gamesPerDay === 0 ? 0 : [...counts.values()].filter((count) => count >= gamesPerDay).length;
  return days === 0 ? undefined : [Math.min(30, 10 * days), `at the daily limit on ${days} of ${counts.size} days`];
}

function wins(games: readonly PlayedGame[]): Sign {
  const winnable = games.filter(({ difficulty }) => difficulty !== 'hard');
  if (winnable.length < FAULTLESS || winnable.some(({ result }) => result !== 'win')) return undefined;
  return [40, `won all ${winnable.length} games on easy and medium; a perfect player wins 98 %`];
}

function mistakes(games: readonly PlayedGame[]): Sign {
  if (games.length < FAULTLESS || games.some(hasMistake)) return undefined;
  // Some people make none either.
  return [10, `no mistake in ${games.length} games`];
}

/** The outcome of perfect play for X, by board. */
const outcomes = new Map<string, number>();

function outcomeOf(board: Board, mark: 'X' | 'O'): number {
  const key = board.join() + mark;
  const known = outcomes.get(key) ?? (mark === 'X' ? 1 : -1) * perfectResult(board, mark);
  outcomes.set(key, known);
  return known;
}

/** Whether a move of the player made the outcome of perfect play worse. No first move does. */
function hasMistake({ moves }: PlayedGame): boolean {
  let board = emptyBoard;
  return moves.some((square, at) => {
    const mark = at % 2 === 0 ? 'X' : 'O';
    const before = board;
    board = place(board, square, mark);
    return mark === 'X' && at > 0 && outcomeOf(board, opponentOf(mark)) < outcomeOf(before, mark);
  });
}

function secondsPerMove(games: readonly PlayedGame[]): number[] {
  return games.map(
    ({ startedAt, finishedAt, moves }) =>
      (finishedAt.getTime() - startedAt.getTime()) / 1_000 / Math.ceil(moves.length / 2),
  );
}

/** The distance from the lowest to the highest of the middle eight in ten, as a part of the median. */
function spreadOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]!;
  return sorted.length === 0 ? Infinity : (at(0.9) - at(0.1)) / at(0.5);
}

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1]!;
const percent = (part: number) => `${Math.round(part * 100)} %`;
