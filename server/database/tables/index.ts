import { audit } from './audit.js';
import { bans } from './bans.js';
import { challengeAttempts } from './challenge-attempts.js';
import { challengeDays } from './challenge-days.js';
import { challengeIdentities } from './challenge-identities.js';
import { games } from './games.js';
import { identities } from './identities.js';
import { leftIdentities } from './left-identities.js';
import { playerStats } from './player-stats.js';
import { playerWeeks } from './player-weeks.js';
import { players } from './players.js';
import { sessions } from './sessions.js';
import { signInCodes } from './sign-in-codes.js';
import { signInTries } from './sign-in-tries.js';
import { voidedGames } from './voided-games.js';

/** Every table with its indexes and triggers, in the order of creation. */
export const tables: readonly string[] = [
  players,
  identities,
  bans,
  leftIdentities,
  sessions,
  signInCodes,
  signInTries,
  games,
  voidedGames,
  playerStats,
  playerWeeks,
  challengeDays,
  challengeAttempts,
  challengeIdentities,
  audit,
];
