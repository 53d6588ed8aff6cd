import type { Mark, Square } from '../../game/board.js';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { counted } from './counted.js';
import { messages as login } from './login.js';

const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: 'Google', github: 'GitHub' };
export const providerName = (provider: string): string => PROVIDER_NAMES[provider] ?? provider;

/**
 * The messages of the game at first paint, with those of the login screen. Messages that only a dialog shows have a file of
 * their own. A second language is another set of objects of these shapes.
 */
export const messages = {
  ...login,

  close: 'Close',
  retry: 'Try again',

  play: {
    board: 'Board',
    squares: [
      'Top left',
      'Top centre',
      'Top right',
      'Middle left',
      'Centre',
      'Middle right',
      'Bottom left',
      'Bottom centre',
      'Bottom right',
    ],
    square: (square: Square, mark: string | null): string => `${messages.play.squares[square]}, ${mark ?? 'empty'}`,
    status: { X: 'Your turn (X)', O: "Bot's turn (O)..." },
    result: {
      win: '🎊 YOU WIN! +1 Point',
      lose: '😢 BOT WINS! -1 Point',
      draw: "🤝 IT'S A DRAW!",
    } satisfies Record<Result, string>,
    /** Of a game without points: a practice game, or one on the login screen. */
    unscored: {
      win: '🎊 YOU WIN!',
      lose: '😢 BOT WINS!',
      draw: "🤝 IT'S A DRAW!",
    } satisfies Record<Result, string>,
    bonus: '🎉 3 WINS IN A ROW! +1 BONUS POINT!',
    newGame: 'New Game',
    difficulty: 'Difficulty',
    difficulties: {
      easy: { name: 'Easy', description: 'Bot plays randomly' },
      medium: { name: 'Medium', description: '50% smart moves' },
      hard: { name: 'Hard', description: 'Unbeatable AI' },
    } satisfies Record<Difficulty, { name: string; description: string }>,
    practice: "You're offline. This game won't count.",
    practiceSoon: "Connecting… This game won't count yet.",
    practiceToday: (games: string, time: string): string =>
      `That's ${counted(games, 'game')} today. Points are back at ${time}.`,
    savedTomorrow: (games: string, time: string, needsTab: boolean): string =>
      `That's ${counted(games, 'game')} today. ${needsTab ? `Keep this tab open until this one counts, at ${time}.` : messages.play.countsFrom(time)}`,
    countsFrom: (time: string): string => `This one counts from ${time}.`,
    savedLater: "Saved on this device. It counts once you're online.",
    keepTab: 'Not saved yet. Keep this tab open until you are online.',
    dropped: "A finished game didn't count:",
    refusals: {
      ticket_invalid: "this server doesn't know it.",
      ticket_expired: 'it arrived more than seven days after it began.',
      ticket_of_another_player: 'it belongs to another player.',
      already_counted: 'it was counted before, with other moves.',
      voided: 'a moderator took it out of your score.',
      illegal_move: 'its moves break the rules.',
      game_unfinished: 'it was not played to the end.',
    },
    dismiss: 'Dismiss',
    drawRun: (run: number, best: number): string => `Draw run ${run} · best ${best}`,
    news: {
      badges: (names: string[]): string => `🏅 New ${names.length > 1 ? 'badges' : 'badge'}: ${names.join(', ')}`,
      climbed: (place: string): string => `📈 Up to ${place} on the leaderboard`,
    },
    sessionEnded: {
      first: "You've been signed out. Finish this game, then",
      over: "You've been signed out:",
      signIn: 'sign in again',
      toSave: 'to save it.',
      toGoOn: 'to go on.',
    },
  },

  trialOver: 'Sign in to play for points',
  trialAgain: 'Play again',

  announcements: {
    newGame: 'New game.',
    marked: (mark: Mark | null | undefined, square: Square): string =>
      `${mark === 'X' ? 'You' : 'Bot'} marked ${messages.play.squares[square].toLowerCase()}.`,
  },

  stats: {
    title: 'Your Stats',
    score: 'Total Score',
    streak: 'Win Streak',
    wins: 'Wins',
    losses: 'Losses',
    draws: 'Draws',
    failed: 'Failed to load stats',
    lastKnown: 'Last known',
  },

  history: {
    title: 'Last Games',
    empty: 'No games yet.',
    failed: "Couldn't load your last games.",
    more: 'Show more',
    result: { win: 'Win', lose: 'Loss', draw: 'Draw' } satisfies Record<Result, string>,
    unfinished: 'Unfinished',
    challenge: (day: string): string => `${day} challenge`,
    against: (difficulty: Difficulty): string => messages.play.difficulties[difficulty].name,
    points: (points: number): string => (Math.abs(points) === 1 ? 'point' : 'points'),
    replay: 'Replay:',
  },

  how: {
    title: 'How to Play',
    rows: [
      ['Objective', 'Get three Xs in a row: across, down or diagonally.'],
      ['Scoring', 'Win +1, loss −1, draw 0.'],
      ['Bonus', 'Three wins in a row earn +1 more.'],
      ['Difficulty', 'Choose it between games. A win counts the same on each.'],
    ] as const,
  },

  menu: 'Menu',
  switches: { sound: 'Play sounds', vibration: 'Vibrate' },
  openAccount: (name: string): string => `${name}, open account`,
  leaderboard: 'Leaderboard',
  challenge: "Today's challenge",
  dare: {
    won: (wins: number, day: string | null): string =>
      `won ${wins} of 5 ${day ? `on ${day}. Today's five are new.` : 'today. Can you beat that?'}`,
    nobody: 'There is no dare behind this link.',
    signIn: 'Sign in and play the same five',
  },
  /** The games of a challenge as tiles. */
  tiles: {
    letters: { win: 'W', lose: 'L', draw: 'D', underWay: '…' },
    states: { win: 'won', lose: 'lost', draw: 'drawn', underWay: 'under way', none: 'not played' },
    tile: (number: number, difficulty: Difficulty, state: string): string =>
      `Game ${number}, ${messages.play.difficulties[difficulty].name}: ${state}`,
  },
  badges: {
    first_easy_win: 'First win on Easy',
    first_medium_win: 'First win on Medium',
    first_hard_draw: 'First draw on Hard',
    ten_hard_draws: 'Ten draws on Hard',
  },

  linkHint: (provider: string): string => `Played here with ${providerName(provider)} before? Keep one score.`,

  shortcuts: {
    title: 'Keyboard shortcuts',
    open: 'Keyboard shortcuts',
    enabled: 'Use single-key shortcuts',
    list: [
      ['Arrow keys', 'Move over the board'],
      ['Enter, Space', 'Mark the square'],
      ['N', 'New game'],
      ['L', 'Leaderboard'],
      ['1, 2, 3', 'Easy, Medium, Hard'],
      ['?', 'This list'],
    ] as const,
  },

  notLoaded: {
    title: 'Not loaded',
    text: "Couldn't load this. Check your connection and reload the page.",
  },

  time: {
    now: 'just now',
    ago: (count: number, unit: 'minute' | 'hour' | 'day'): string =>
      unit === 'day' && count === 1 ? 'yesterday' : `${counted(count, unit)} ago`,
    date: (date: Date): string => {
      const [, month, day, year] = date.toDateString().split(' ');
      return `${Number(day)} ${month} ${year}`;
    },
  },

  ordinals: { one: 'st', two: 'nd', few: 'rd', other: 'th' },

  theme: { toLight: 'Use the light theme', toDark: 'Use the dark theme' },
} as const;
