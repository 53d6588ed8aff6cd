/** The dialogs in one separate chunk, which loads in idle time after the game. */
export { AccountDialog } from './account/AccountDialog.js';
export { ChallengeDialog } from './challenge/ChallengeDialog.js';
export { ChallengePanel } from './challenge/ChallengePanel.js';
export { ReplayDialog } from './history/ReplayDialog.js';
export { LeaderboardDialog } from './leaderboard/LeaderboardDialog.js';
export { ShortcutsDialog } from './ui/ShortcutsDialog.js';
