import { connectionType } from '../web/answers/page-info.type.js';
import { LeaderboardEntryType } from './leaderboard-entry.type.js';

export const LeaderboardConnection = connectionType('Leaderboard', LeaderboardEntryType, {
  page: 'A page of the first 1,000 places of the leaderboard',
  edges: 'The players, best first.',
});
export type LeaderboardConnection = InstanceType<typeof LeaderboardConnection>;
