import { PlayersAndSessions1763700000001 } from './0001-players-and-sessions.js';
import { GamesAndStats1763700000002 } from './0002-games-and-stats.js';
import { Trust1763700000003 } from './0003-trust.js';
import { ScoreChanges1763800000004 } from './0004-score-changes.js';
import { KeyIndexes1763900000005 } from './0005-key-indexes.js';
import { KeysByPlayer1763900000006 } from './0006-keys-by-player.js';
import { GamesByMonth1763900000007 } from './0007-games-by-month.js';
import { Weeks1763990000008, WeeksOfEarlierGames1763990000009 } from './0008-weeks.js';
import { Challenge1764000000009 } from './0009-challenge.js';
import { Moderation1764000000010 } from './0010-moderation.js';
import { MergedPlayers1764000000011 } from './0011-merged-players.js';
import { Archive1764100000013 } from './0013-archive.js';
import { GamesOfABatch1764200000014 } from './0014-games-of-a-batch.js';
import { ScoreHundreds1764300000015 } from './0015-score-hundreds.js';

/** In the order of execution. */
export const migrations = [
  PlayersAndSessions1763700000001,
  GamesAndStats1763700000002,
  Trust1763700000003,
  ScoreChanges1763800000004,
  KeyIndexes1763900000005,
  KeysByPlayer1763900000006,
  GamesByMonth1763900000007,
  Weeks1763990000008,
  WeeksOfEarlierGames1763990000009,
  Challenge1764000000009,
  Moderation1764000000010,
  MergedPlayers1764000000011,
  Archive1764100000013,
  GamesOfABatch1764200000014,
  ScoreHundreds1764300000015,
];
