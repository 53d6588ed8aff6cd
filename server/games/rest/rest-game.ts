import type { GameType } from '../game.type.js';

/** A counted game in the words of REST: its squares are those of both sides, X first. */
export function toRestGame({ finishedAt, byProgram, moves, ...game }: GameType) {
  return {
    ...game,
    finished_at: finishedAt,
    by_program: byProgram,
    moves: moves?.map(({ square }) => square) ?? null,
  };
}
