import { TakeOver1764400000016 } from './0016-take-over.js';
import { ChallengeIdentities1764500000017 } from './0017-challenge-identities.js';
import { LeftIdentities1764600000018 } from './0018-left-identities.js';
import { ChallengeMoves1764700000019 } from './0019-challenge-moves.js';
import { BadgeDates1764800000020 } from './0020-badge-dates.js';
import { PersonalTokens1764900000021 } from './0021-personal-tokens.js';
import { BanEnds1765000000022 } from './0022-ban-ends.js';

/** In the order of execution. A new database begins with the declared tables, and notes all of them as executed. */
export const migrations = [
  TakeOver1764400000016,
  ChallengeIdentities1764500000017,
  LeftIdentities1764600000018,
  ChallengeMoves1764700000019,
  BadgeDates1764800000020,
  PersonalTokens1764900000021,
  BanEnds1765000000022,
];

/** The last migration of the versions before. A database must have it before this version takes it over. */
export const TAKEN_OVER = 'ScoreHundreds1764300000015';
