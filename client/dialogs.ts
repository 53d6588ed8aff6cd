/** What opens over the game, in a file of its own: it is loaded when the game is there and nothing else is to do. */
export { AccountDialog } from './account/AccountDialog.js';
export { ReplayDialog } from './history/ReplayDialog.js';
export { LeaderboardDialog } from './leaderboard/LeaderboardDialog.js';
export { ShortcutsDialog } from './ui/ShortcutsDialog.js';
