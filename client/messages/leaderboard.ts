import { plural, t } from '@lingui/core/macro';
import { messages as game } from './game.js';

/** The messages of the leaderboard, in their own file because they load with its dialog. */
export const messages = {
  title: game.leaderboard,
  subtitle: t`Top 10 Players`,
  failed: t`Failed to load leaderboard`,
  empty: t`No players yet. Be the first!`,
  loading: t`Loading leaderboard`,
  you: t`You`,
  byProgram: t`A program plays for this player.`,
  medals: [t`Gold medal, rank 1`, t`Silver medal, rank 2`, t`Bronze medal, rank 3`] as const,
  rank: (rank: string, exact: boolean): string => (exact ? t`#${rank}` : t`about #${rank}`),
  beyond: t`1,000+`,
  record: (wins: string, losses: string, draws: string): string => t`${wins}W · ${losses}L · ${draws}D`,
  winRate: (percent: number): string => t`${percent}% win rate`,
  points: (points: number): string => plural(Math.abs(points), { one: 'point', other: 'points' }),
  around: t`Your place`,
  noPlace: t`Finish a game to get a place.`,
  report: t`Report a name`,
  free: t`Up for grabs`,
  places: (from: number, to: number): string => (from === to ? t`#${{ rank: to }}` : t`#${from} to #${to}`),
  alone: {
    you: t`You're in the lead.`,
    invite: t`Invite a friend`,
    text: t`Can you beat me at Tic-Tac-Toe?`,
    copied: t`Address copied`,
    notCopied: (address: string): string => t`Send them this address: ${address}`,
  },
  tabs: { all: t`All time`, week: t`Week` },
  week: {
    until: (time: string, timeLeft: string): string => {
      const left = timeLeft.replaceAll(' ', '\u00a0');
      return t`Until ${time}, ${left}`;
    },
    current: {
      other: t`Last week`,
      empty: t`The week is young: your next win takes the lead!`,
      noPlace: t`Finish a game to get a place this week.`,
    },
    past: {
      other: t`This week`,
      empty: t`Nobody played that week.`,
      noPlace: t`You didn't play that week.`,
    },
  },
};
