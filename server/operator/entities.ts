import { Identity } from '../auth/players/identity.entity.js';
import { MergedPlayer } from '../auth/players/merged-player.entity.js';
import { Player } from '../auth/players/player.entity.js';
import { Session } from '../auth/sessions/session.entity.js';
import { SignInCode } from '../auth/sign-in/sign-in-code.entity.js';
import { ArchivedStats } from '../counting/archived-stats.entity.js';
import { ArchivedWeek } from '../counting/archived-week.entity.js';
import { Game } from '../counting/game.entity.js';
import { PlayerStats } from '../counting/player-stats.entity.js';
import { PlayerWeek } from '../counting/player-week.entity.js';

/** The entities of a connection without Nest, which collects them from the modules. */
export const entities = [
  ArchivedStats,
  ArchivedWeek,
  Game,
  Identity,
  MergedPlayer,
  Player,
  PlayerStats,
  PlayerWeek,
  Session,
  SignInCode,
];
