/** All rows, in the order in which they are measured. */
import { finishGameRow, loneGame, slowCommits } from './rows/finish-game.js';
import { growth, growthNearZero } from './rows/growth.js';
import { health, ownStats, topTen } from './rows/reads.js';
import restPost from './rows/rest-post.js';
import { sameScore } from './rows/same-score.js';
import standing from './rows/standing.js';
import start from './rows/start.js';
import watchers from './rows/watchers.js';

/** @type {readonly import('./report.js').Row[]} */
export const ROWS = [
  finishGameRow,
  slowCommits(5, { fastify: 1.5, postgraphile: 1.5 }),
  slowCommits(10, { fastify: 2 }),
  loneGame,
  restPost,
  topTen,
  ownStats,
  health,
  sameScore(0),
  sameScore(5),
  growth,
  growthNearZero,
  standing,
  watchers,
  start,
];
