import { describe, expect, test } from '@jest/globals';
import { emptyBoard, emptySquares, isSquare, place, SQUARES } from './board.js';

describe('the board', () => {
  test('lists the empty squares in ascending order', () => {
    expect(emptySquares(place(place(emptyBoard, 4, 'X'), 0, 'O'))).toEqual([1, 2, 3, 5, 6, 7, 8]);
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
