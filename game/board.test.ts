import { describe, expect, test } from '@jest/globals';
import { emptyBoard, emptySquares, isSquare, LINES, place, SQUARES } from './board.js';

describe('the board', () => {
  test('has nine squares, which are empty at first', () => {
    expect(SQUARES).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(emptyBoard).toHaveLength(9);
    expect(emptySquares(emptyBoard)).toEqual(SQUARES);
  });

  test('lists the empty squares in ascending order', () => {
    expect(emptySquares(place(place(emptyBoard, 4, 'X'), 0, 'O'))).toEqual([1, 2, 3, 5, 6, 7, 8]);
  });

  test('is immutable: a mark creates a new frozen board', () => {
    const marked = place(emptyBoard, 8, 'O');
    expect(marked).toEqual([null, null, null, null, null, null, null, null, 'O']);
    expect(emptySquares(emptyBoard)).toHaveLength(9);
    for (const frozen of [emptyBoard, marked, SQUARES, LINES, ...LINES]) expect(Object.isFrozen(frozen)).toBe(true);
  });
});

describe('isSquare', () => {
  test('accepts the numbers 0 to 8', () => {
    expect(SQUARES.every(isSquare)).toBe(true);
  });

  test.each([-1, 9, 0.5, NaN, Infinity, '0', '', null, undefined, true, [0], {}, 0n])('refuses %p', (value) => {
    expect(isSquare(value)).toBe(false);
  });
});
