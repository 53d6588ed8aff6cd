import { messages as game } from './game.js';

/** The messages of the leaderboard, in their own file because they load with its dialog. */
export const messages = {
  title: game.leaderboard,
  subtitle: 'Top 10 Players',
  failed: 'Failed to load leaderboard',
  empty: 'No players yet. Be the first!',
  loading: 'Loading leaderboard',
  you: 'You',
  byProgram: 'A program plays for this player.',
  medals: ['Gold medal, rank 1', 'Silver medal, rank 2', 'Bronze medal, rank 3'] as const,
  rank: (rank: string, exact: boolean): string => (exact ? `#${rank}` : `about #${rank}`),
  beyond: '1,000+',
  record: (wins: string, losses: string, draws: string): string => `${wins}W · ${losses}L · ${draws}D`,
  winRate: (percent: number): string => `${percent}% win rate`,
  points: game.history.points,
  around: 'Your place',
  noPlace: 'Finish a game to get a place.',
  report: 'Report a name',
  free: 'Up for grabs',
  places: (from: number, to: number): string => (from === to ? `#${to}` : `#${from} to #${to}`),
  alone: {
    you: "You're in the lead.",
    invite: 'Invite a friend',
    text: 'Can you beat me at Tic-Tac-Toe?',
    copied: 'Address copied',
    notCopied: (address: string): string => `Send them this address: ${address}`,
  },
  tabs: { all: 'All time', week: 'Week' },
  week: {
    until: (time: string, left: string): string => `Until ${time}, ${left.replaceAll(' ', '\u00a0')}`,
    current: {
      other: 'Last week',
      empty: 'The week is young: your next win takes the lead!',
      noPlace: 'Finish a game to get a place this week.',
    },
    past: {
      other: 'This week',
      empty: 'Nobody played that week.',
      noPlace: "You didn't play that week.",
    },
  },
} as const;
