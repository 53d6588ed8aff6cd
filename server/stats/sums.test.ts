import { expect, test } from '@jest/globals';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { addGame, type FoldedGame, noSums, type PlayerSums } from './sums.js';

const NOON = '2026-03-04T12:00:00Z';
const game = (result: Result, difficulty: Difficulty, changes: Partial<FoldedGame> = {}): FoldedGame => ({
  source: 'verified',
  difficulty,
  result,
  finishedAt: new Date(NOON),
  byProgram: false,
  ...changes,
});
const at = (time: string) => ({ finishedAt: new Date(time) });
const fold = (games: readonly FoldedGame[], from: PlayerSums = noSums) =>
  games.reduce((sums, next) => addGame(sums, next).sums, from);

test('a loss at hard ends the draws in a row there, and keeps the best; other games do not', () => {
  const draws = fold([game('draw', 'hard'), game('draw', 'hard'), game('lose', 'easy'), game('win', 'hard')]);
  expect(draws).toMatchObject({ hardDraws: 2, hardDrawsInARow: 2, bestHardDraws: 2 });
  const lost = fold([game('lose', 'hard'), game('draw', 'hard')], draws);
  expect(lost).toMatchObject({ hardDraws: 3, hardDrawsInARow: 1, bestHardDraws: 2 });
});

test('a draw moves only the time of the first game', () => {
  const first = fold([game('draw', 'easy')]);
  expect(first.reachedAt).toEqual(new Date(NOON));
  const later = fold([game('draw', 'easy', at('2026-03-05T12:00:00Z'))], first);
  expect(later).toMatchObject({ reachedAt: new Date(NOON), lastGameAt: new Date('2026-03-05T12:00:00Z') });
  expect(fold([game('lose', 'easy', at('2026-03-06T12:00:00Z'))], later).reachedAt).toEqual(
    new Date('2026-03-06T12:00:00Z'),
  );
});

test('the games of the newest day are counted, reported ones too, and the day never goes back', () => {
  const day = fold([game('win', 'easy'), game('lose', 'easy', { source: 'reported' })]);
  expect(day).toMatchObject({ lastGameAt: new Date(NOON), gamesThatDay: 2 });
  const before = fold([game('win', 'easy', at('2026-03-03T23:59:59Z'))], day);
  expect(before).toMatchObject({ lastGameAt: new Date(NOON), gamesThatDay: 2 });
  expect(fold([game('win', 'easy', at('2026-03-05T00:00:00Z'))], day)).toMatchObject({ gamesThatDay: 1 });
});

test('a reported game changes nothing that badges need', () => {
  const reported = { source: 'reported' } as const;
  const before = fold([game('draw', 'hard')]);
  const games = [game('win', 'easy', reported), game('draw', 'hard', reported), game('lose', 'hard', reported)];
  const { hardDraws, hardDrawsInARow, bestHardDraws, firstEasyWinAt } = fold(games, before);
  expect({ hardDraws, hardDrawsInARow, bestHardDraws, firstEasyWinAt }).toEqual({
    hardDraws: 1,
    hardDrawsInARow: 1,
    bestHardDraws: 1,
    firstEasyWinAt: null,
  });
});

test('each badge has the time of the game that gave it, and no later game changes it', () => {
  const day = (number: number) => at(`2026-03-${String(number).padStart(2, '0')}T12:00:00Z`);
  const won = fold([
    game('lose', 'easy', day(1)),
    game('win', 'easy', day(2)),
    game('win', 'easy', day(3)),
    game('win', 'medium', day(4)),
  ]);
  const draws = Array.from({ length: 12 }, (_, draw) => game('draw', 'hard', day(11 + draw)));
  expect(fold(draws.slice(0, 9), won)).toMatchObject({ tenHardDrawsAt: null });
  expect(fold([...draws, game('lose', 'hard', day(25))], won)).toMatchObject({
    firstEasyWinAt: day(2).finishedAt,
    firstMediumWinAt: day(4).finishedAt,
    firstHardDrawAt: day(11).finishedAt,
    tenHardDrawsAt: day(20).finishedAt,
  });
});
