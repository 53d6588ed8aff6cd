import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { createHash } from 'node:crypto';
import { decidingMove } from '../../game/analysis.js';
import { type Square, SQUARES } from '../../game/board.js';
import { botSquare, type Difficulty } from '../../game/bot.js';
import type { Move } from '../../game/replay.js';
import { newGame, play } from '../../game/rules.js';
import type { HistoryGameFragment } from '../graphql/generated.js';
import { nameSquares } from './Moves.js';
import { keepCommitment } from '../data/seedCommitment.js';
import '../testing/browser.js';
import { aCountedGame, aFakeServer, SignedIn } from '../testing/server.js';
import { ReplayDialog, SeedCheck } from './ReplayDialog.js';
import { verdictOn } from './verdict.js';
import { render } from '../testing/render.js';

/** A game as the server stores it. X always takes the first empty square, or the first empty one of its plan. */
function aVerifiedGame(difficulty: Difficulty = 'medium', plan: readonly Square[] = SQUARES): HistoryGameFragment {
  const moves: (Move & { __typename: 'Move' })[] = [];
  let game = newGame();
  while (game.turn) {
    const bot = { board: game.board, difficulty, seed: 'a seed' } as const;
    const { board } = game;
    const square = game.turn === 'X' ? plan.find((square) => board[square] === null)! : botSquare(bot);
    const played = play(game, square);
    if (!played.ok) throw new Error(played.reason);
    moves.push({ __typename: 'Move', mark: game.turn, square });
    game = played.game;
  }
  return aCountedGame({ difficulty, seed: 'a seed', moves, result: game.outcome!.result });
}

const game = aVerifiedGame();
const asMoves = (moves: HistoryGameFragment['moves']) => moves as readonly Move[];
const moves = asMoves(game.moves);
const last = moves.length;
/** Every order in which X can prefer four squares, then the others. */
const plans = SQUARES.flatMap((one) =>
  SQUARES.flatMap((two) => SQUARES.map((three): Square[] => [4, one, two, three, ...SQUARES])),
);
const said = () => document.querySelector('[aria-live]')?.textContent;
const marks = () => document.querySelectorAll('.square:not([data-better]) .mark').length;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const show = (over: Partial<HistoryGameFragment> = {}) =>
  render(<ReplayDialog game={{ ...game, ...over }} onClose={() => undefined} />);

afterEach(() => void jest.useRealTimers());

it('starts at the deciding move, marks it and the better squares, and announces both', () => {
  show();
  expect(screen.getByRole('dialog', { name: 'Replay' })).toBeVisible();
  const { at, mark, square, better } = decidingMove(moves)!;
  expect(marks()).toBe(at + 1);
  const squares = [...document.querySelectorAll<HTMLElement>('.square')];
  const marked = (name: string) => squares.flatMap(({ dataset }, at) => (dataset[name] ? [at] : []));
  expect(marked('mistake')).toEqual([square]);
  expect(marked('better')).toEqual(better);
  const whose = mark === 'X' ? '' : ' for the bot';
  expect(said()).toContain(`Turning point. Better${whose}: ${nameSquares(better)}.`);
  expect(screen.getByRole('button', { name: /turning point$/ })).toHaveAttribute('aria-current', 'step');
  press('Next move');
  expect(said()).not.toContain('Turning point');
  expect(marked('mistake')).toEqual([]);
});

it.each<[string, Square[]]>([
  ['centre', [4]],
  ['top left or centre', [0, 4]],
  ['top left, centre or bottom right', [0, 4, 8]],
  ['any corner', [0, 2, 6, 8]],
  ['any edge', [1, 3, 5, 7]],
])('names the better squares: %s', (text, squares) => {
  expect(nameSquares(squares)).toBe(text);
});

it('starts with an empty board when nobody made a mistake, and says so', () => {
  // Against the hard bot, the centre and then every block.
  const perfect = plans.map((plan) => aVerifiedGame('hard', plan)).find(({ moves }) => !decidingMove(asMoves(moves)))!;
  render(<ReplayDialog game={perfect} onClose={() => undefined} />);
  expect(screen.getByText('Perfect game: no mistakes.')).toBeVisible();
  expect(screen.getByRole('img', { name: 'Before the first move' })).toBeVisible();
  expect(marks()).toBe(0);
});

it('plays a move every 700 ms until the end or a pause', () => {
  jest.useFakeTimers();
  show();
  const pass = (milliseconds: number) => act(() => jest.advanceTimersByTime(milliseconds));
  press('To the start');
  press('Play');
  expect(marks()).toBe(1);
  pass(700);
  expect(marks()).toBe(2);
  press('Pause');
  pass(5000);
  expect(marks()).toBe(2);
  press('Play');
  for (let at = 0; at < last; at++) pass(700);
  expect(marks()).toBe(last);
  expect(screen.getByRole('button', { name: 'Play' })).toBeVisible();
  press('Play');
  expect(marks()).toBe(1);
});

it.each<[string, Partial<HistoryGameFragment>]>([
  ['another seed', { seed: 'another seed' }],
  ['another result', { result: game.result === 'win' ? 'lose' : 'win' }],
  ['a move less', { moves: game.moves!.slice(0, -1) }],
  ['a square that is not on the board', { moves: [{ __typename: 'Move', mark: 'X', square: 11 }] }],
  ['moves withheld from a verified game', { moves: null, seed: null }],
])('warns of a record with %s', (_, over) => {
  show(over);
  expect(screen.getByRole('alert')).toHaveTextContent(/^Warning: /);
  expect(screen.queryByRole('img', { name: 'Verified' })).toBeNull();
});

it('says when the seed of a challenge game is not public yet, and when a game was abandoned', () => {
  expect(verdictOn({ ...game, seed: null })).toBe('secret');
  const [first, second] = game.moves!;
  expect(verdictOn({ ...game, result: 'lose', moves: [first!, second!] })).toBe('abandoned');
  expect(verdictOn({ ...game, result: 'win', moves: [first!, second!] })).toBe('differs');
});

it('says that only the result of a reported game is known', () => {
  const reported = { source: 'reported', moves: null, seed: null } as const;
  expect(verdictOn({ ...game, ...reported })).toBe('reported');
  show(reported);
  expect(screen.getByText(/^Only the result was reported/)).toBeVisible();
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Play' })).toBeNull();
});

const DAY = '2026-11-22';
const SEEDS = ['one', 'two', 'three', 'four', 'five'];
const HASH = createHash('sha256').update('one,two,three,four,five').digest('hex');

describe('the seeds of a challenge', () => {
  const server = aFakeServer();
  beforeEach(() => {
    server.handlers.ChallengeSeeds = () => ({
      data: { challenge: { __typename: 'Challenge', day: DAY, seeds: SEEDS } },
    });
  });

  /** The browser has compared. */
  const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  const showCheck = (seed = 'two') => render(<SeedCheck day={DAY} seed={seed} />, { wrapper: SignedIn });

  it.each([
    ['the seeds that were fixed', 'two'],
    ['a game that is not of the challenge', 'another seed'],
  ])('says nothing of %s', async (_, seed) => {
    keepCommitment(DAY, HASH);
    showCheck(seed);
    await waitFor(() => expect(server.called('ChallengeSeeds')).toBe(1));
    await settled();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('warns of other seeds', async () => {
    keepCommitment(DAY, HASH.replace(/^./, 'x'));
    showCheck();
    expect(await screen.findByRole('alert')).toHaveTextContent(
      "Warning: the bot's seeds are not those that were fixed",
    );
  });

  it('asks nothing when the browser has kept nothing', () => {
    showCheck();
    expect(server.called('ChallengeSeeds')).toBe(0);
  });
});
