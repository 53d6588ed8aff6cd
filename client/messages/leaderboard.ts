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
  record: (wins: string, losses: string, draws: string): string => `${wins}W · ${losses}L · ${draws}D`,
  winRate: (percent: number): string => `${percent}% win rate`,
  points: 'points',
  standing: (rank: string, players: string): string => `You are ${rank} of ${players}`,
  behind: (points: string, place: string): string => `${points} behind ${place}`,
  ahead: (points: string, place: string): string => `${points} ahead of ${place}`,
  level: (place: string): string => `Level with ${place}`,
  around: 'Your place',
  noPlace: 'Finish a game to get a place.',
  free: 'Up for grabs',
  alone: {
    you: "You're in the lead.",
    invite: 'Invite a friend',
    text: 'Can you beat me at Tic-Tac-Toe?',
    copied: 'Address copied',
    notCopied: (address: string): string => `Send them this address: ${address}`,
  },
  tabs: { all: 'All time', week: 'This week' },
  week: {
    until: 'Until',
    current: {
      other: 'Last week',
      empty: 'The week is young: your next win takes the lead!',
      noPlace: 'Finish a game to get a place this week.',
      noRank: "You're outside the top 1,000",
    },
    past: {
      other: 'Current week',
      empty: 'Nobody played that week.',
      noPlace: "You didn't play that week.",
      noRank: 'You were outside the top 1,000',
    },
  },
} as const;
