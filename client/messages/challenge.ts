import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { messages as game } from './game.js';

const counted = (count: number, one: string, more: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : more}`];

/** The messages of the challenge, which load with it. */
export const messages = {
  title: game.challenge,
  subtitle: 'Five games a day, the same for everybody',
  loading: 'Loading the challenge',
  failed: 'The challenge could not be loaded.',
  retry: 'Try again',
  intro: 'Two easy games, two medium and one hard. You have one attempt a day.',
  ends: (time: string): string => `A started game is lost if it is not finished by ${time}.`,
  gameOf: (number: number, of: number, difficulty: Difficulty): string =>
    `Game ${number} of ${of} · ${game.play.difficulties[difficulty].name}`,
  open: 'Play',
  start: (number: number, of: number): string => `Start game ${number} of ${of}`,
  goOn: (number: number, of: number): string => `Continue game ${number} of ${of}`,
  next: (number: number, of: number): string => `Next: game ${number} of ${of}`,
  toResult: 'See your result',
  saving: 'Saving…',
  results: 'Your games',
  letters: { win: 'W', lose: 'L', draw: 'D' } satisfies Record<Result, string>,
  square: (number: number, difficulty: Difficulty, result: string): string =>
    `Game ${number}, ${game.play.difficulties[difficulty].name}: ${result}`,
  result: { win: 'won', lose: 'lost', draw: 'drawn' } satisfies Record<Result, string>,
  underWay: 'under way',
  notPlayed: 'not played',
  place: (place: string, players: string): string => `${place} of ${players} today`,
  daysInARow: (days: string, count: number): string => `${days} ${count === 1 ? 'day' : 'days'} in a row`,
  yesterdaysBest: (wins: number, draws: number, who: string): string =>
    `Yesterday’s best: ${[...counted(wins, 'win', 'wins'), ...counted(draws, 'draw', 'draws')].join(', ') || 'no win'} (${who})`,
  holders: (name: string, others: number): string =>
    others === 0 ? name : `${name} and ${others} ${others === 1 ? 'other' : 'others'}`,
  seedsFixed: 'The bot’s seeds are those that were fixed when the day began.',
  seedsChanged: 'Warning: the bot’s seeds are not those that were fixed when the day began.',
  table: 'Today’s best',
  empty: 'Nobody has finished today’s challenge yet.',
  you: game.leaderboard.you,
  rank: (place: string): string => `#${place}`,
  share: 'Share',
  copied: 'Copied: paste it wherever you like.',
  notShared: 'Your browser could not share it. The text:',
  trouble: {
    offline: 'The server did not answer. Your move is kept.',
    offlineStart: 'The server did not answer. Please try again.',
    elsewhere: 'You played this game in another window too. Here is its current state.',
    otherAccount: 'You played today’s challenge with another account. There is a new one tomorrow.',
    dayOver: 'The day is over, so a game that was not finished is lost. There is a new challenge.',
  },
} as const;
