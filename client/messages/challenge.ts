import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { counted } from './counted.js';
import { messages as game } from './game.js';
import { messages as leaderboard } from './leaderboard.js';

const MINUTE = 60_000;

/** "5 h 12 min", "12 min" or "less than a minute". */
function inTime(ms: number): string {
  const minutes = Math.floor(ms / MINUTE);
  if (minutes < 1) return 'less than a minute';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours && `${hours} h`, rest && `${rest} min`].filter(Boolean).join(' ');
}

/** The messages of the challenge, which load with it. */
export const messages = {
  title: game.challenge,
  subtitle: 'Five games, the same for everybody',
  loading: 'Loading the challenge',
  failed: 'The challenge could not be loaded.',
  intro:
    'Two easy games, two medium, one hard. Wins count first, then draws, then moves: fewer are better. A lost or drawn game counts as five moves.',
  ends: (ms: number, time: string): string => `Ends in ${inTime(ms)}, at ${time}. Unfinished games count as lost.`,
  left: (ms: number): string => `${inTime(ms)} left`,
  nextIn: (ms: number): string => `Next in ${inTime(ms)}`,
  /** "4 wins, 1 draw" */
  sum: (wins: number, draws: number): string =>
    [wins > 0 || draws === 0 ? counted(wins || 'No', 'win') : '', draws > 0 ? counted(draws, 'draw') : '']
      .filter(Boolean)
      .join(', '),
  better: 'Better than yesterday!',
  chart: 'Your last 30 days',
  bar: (wins: number, days: number): string => `${counted(wins, 'win')}: ${counted(days, 'day')}`,
  moves: (total: string): string => counted(total, 'move'),
  best: (par: string): string => `(best possible: ${par})`,
  gameOf: (number: number, of: number, difficulty: Difficulty): string =>
    `Game ${number} of ${of} · ${game.play.difficulties[difficulty].name}`,
  start: (number: number, of: number): string => `Start game ${number} of ${of}`,
  next: (number: number, of: number): string => `Next: game ${number} of ${of}`,
  toResult: 'See your result',
  saving: 'Saving…',
  results: 'Your games',
  place: (place: string, players: string): string => `${place} of ${players} today`,
  today: {
    play: 'Play',
    goOn: 'Continue',
    result: 'Result',
    intro: "Today's five games. One try.",
    yesterday: (place: string, players: string): string => `Yesterday: ${place} of ${players}`,
    run: (days: string): string => `Day ${days}`,
    taker: (wins: number, result: Result): string =>
      `took your dare: ${wins} of 5, ${{ win: 'and beat you', draw: 'a draw', lose: 'and you won' }[result]}.`,
    moreTakers: (more: string): string => `And ${more} more.`,
  },
  table: "Today's best",
  empty: "Nobody has finished today's challenge yet.",
  you: leaderboard.you,
  rank: (place: string): string => `#${place}`,
  dares: 'dares you:',
  duel: {
    title: 'Duel',
    won: 'You win!',
    drawn: 'A draw.',
    lost: 'wins.',
    over: "That day is over. Today's five games are new.",
    nobody: game.dare.nobody,
    own: 'This is your own link. Send it to somebody.',
  },
  share: 'Dare somebody',
  shared: (day: string, tiles: string, moves: string): string =>
    `Tic-Tac-Toe, ${day}: ${tiles} in ${counted(moves, 'move')}. Beat me:`,
  copied: 'Copied: paste it wherever you like.',
  notShared: 'Your browser could not share it. The text:',
  trouble: {
    offline: 'The server did not answer. Your move is kept.',
    offlineStart: 'The server did not answer. Please try again.',
    elsewhere: 'You also played this game in another window. Here is where it stands.',
    otherAccount: "You played today's challenge with another account. There is a new one tomorrow.",
    dayOver: 'The day is over, so an unfinished game is lost. There is a new challenge.',
  },
} as const;
