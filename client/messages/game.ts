import { t, plural, selectOrdinal } from '@lingui/core/macro';
import type { Mark, Square } from '../../game/board.js';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { counted } from './counted.js';
import { language, locale, named } from './language.js';
import { messages as login } from './login.js';

const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: 'Google', github: 'GitHub' };
export const providerName = (provider: string): string => PROVIDER_NAMES[provider] ?? provider;

/** As they stand in a sentence. */
export const squares = [
  t`top left`,
  t`top centre`,
  t`top right`,
  t`middle left`,
  t`centre`,
  t`middle right`,
  t`bottom left`,
  t`bottom centre`,
  t`bottom right`,
];

/** For the start of a text. Not "İ" or the like: only the first letter changes. */
const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/**
 * The messages of the game at first paint, with those of the login screen. They load when the language is there. Messages that
 * only a dialog shows have a file of their own.
 */
export const messages = {
  ...login,

  close: t`Close`,
  retry: t`Try again`,

  play: {
    board: t`Board`,
    square: (square: Square, mark: string | null): string =>
      t`${{ square: capitalised(squares[square]!) }}, ${{ mark: mark ?? t`empty` }}`,
    status: { X: t`Your turn (X)`, O: t`Bot's turn (O)...` },
    result: {
      win: t`🎊 YOU WIN! +1 Point`,
      lose: t`😢 BOT WINS! -1 Point`,
      draw: t`🤝 IT'S A DRAW!`,
    } satisfies Record<Result, string>,
    /** Of a game without points: a practice game, or one on the login screen. */
    unscored: {
      win: t`🎊 YOU WIN!`,
      lose: t`😢 BOT WINS!`,
      draw: t`🤝 IT'S A DRAW!`,
    } satisfies Record<Result, string>,
    bonus: t`🎉 3 WINS IN A ROW! +1 BONUS POINT!`,
    newGame: t`New Game`,
    difficulty: t`Difficulty`,
    difficulties: {
      easy: { name: t`Easy`, description: t`Bot plays randomly` },
      medium: { name: t`Medium`, description: t`50% smart moves` },
      hard: { name: t`Hard`, description: t`Unbeatable AI` },
    } satisfies Record<Difficulty, { name: string; description: string }>,
    practice: t`You're offline. This game won't count.`,
    practiceSoon: t`Connecting… This game won't count yet.`,
    practiceToday: (games: number, time: string): string =>
      t`That's ${plural(games, { one: '# game', other: '# games' })} today. Points are back at ${time}.`,
    savedTomorrow: (games: number, time: string, needsTab: boolean): string =>
      needsTab
        ? t`That's ${plural(games, { one: '# game', other: '# games' })} today. Keep this tab open until this one counts, at ${time}.`
        : t`That's ${plural(games, { one: '# game', other: '# games' })} today. This one counts from ${time}.`,
    countsFrom: (time: string): string => t`This one counts from ${time}.`,
    savedLater: t`Saved on this device. It counts once you're online.`,
    keepTab: t`Not saved yet. Keep this tab open until you are online.`,
    refusals: {
      ticket_invalid: t`A finished game didn't count: this server doesn't know it.`,
      ticket_expired: t`A finished game didn't count: it arrived more than seven days after it began.`,
      ticket_of_another_player: t`A finished game didn't count: it belongs to another player.`,
      already_counted: t`A finished game didn't count: it was counted before, with other moves.`,
      voided: t`A finished game didn't count: a moderator took it out of your score.`,
      illegal_move: t`A finished game didn't count: its moves break the rules.`,
      game_unfinished: t`A finished game didn't count: it was not played to the end.`,
    },
    dismiss: t`Dismiss`,
    drawRun: (run: number, best: number): string => t`Draw run ${run} · best ${best}`,
    news: {
      badges: (all: readonly string[]): string => {
        const names = new Intl.ListFormat(locale, { type: 'unit', style: 'short' }).format(all);
        return plural(all.length, { one: `🏅 New badge: ${names}`, other: `🏅 New badges: ${names}` });
      },
      climbed: (place: number): string =>
        t`📈 Up to ${selectOrdinal(place, { one: '#st', two: '#nd', few: '#rd', other: '#th' })} on the leaderboard`,
    },
    /** The button stands between the tags. */
    sessionEnded: {
      first: {
        save: t`You've been signed out. Finish this game, then <0>sign in again</0> to save it.`,
        goOn: t`You've been signed out. Finish this game, then <0>sign in again</0> to go on.`,
      },
      over: {
        save: t`You've been signed out: <0>sign in again</0> to save it.`,
        goOn: t`You've been signed out: <0>sign in again</0> to go on.`,
      },
    },
  },

  trialOver: t`Sign in to play for points`,
  trialAgain: t`Play again`,

  announcements: {
    newGame: t`New game.`,
    marked: (mark: Mark | null | undefined, at: Square): string => {
      const square = squares[at]!;
      return mark === 'X' ? t`You marked ${square}.` : t`Bot marked ${square}.`;
    },
  },

  stats: {
    title: t`Your Stats`,
    score: t`Total Score`,
    streak: t`Win Streak`,
    wins: t`Wins`,
    losses: t`Losses`,
    draws: t`Draws`,
    failed: 'Failed to load stats',
    lastKnown: t`Last known`,
  },

  history: {
    title: t`Last Games`,
    empty: t`No games yet.`,
    failed: t`Couldn't load your last games.`,
    more: t`Show more`,
    result: { win: t`Win`, lose: t`Loss`, draw: t`Draw` } satisfies Record<Result, string>,
    unfinished: t`Unfinished`,
    challenge: (day: string): string => t`${day} challenge`,
    against: (difficulty: Difficulty): string => messages.play.difficulties[difficulty].name,
    /** After "−1", "0", "+1" and "+2". Not a plural: the first paint needs no Intl. */
    points: (points: number): string =>
      Math.abs(points) === 1
        ? t({ message: 'point', context: 'after −1 or +1' })
        : points
          ? t({ message: 'points', context: 'after +2' })
          : t({ message: 'points', context: 'after 0' }),
    replay: t`Replay:`,
  },

  how: {
    title: t`How to Play`,
    rows: [
      [t`Objective`, t`Get three Xs in a row: across, down or diagonally.`],
      [t`Scoring`, t`Win +1, loss −1, draw 0.`],
      [t`Bonus`, t`Three wins in a row earn +1 more.`],
      [t`Difficulty`, t`Choose it between games. A win counts the same on each.`],
    ] as const,
  },

  menu: t`Menu`,
  switches: { sound: t`Play sounds`, vibration: t`Vibrate` },
  openAccount: (name: string): string => named(name, t`<0>name</0>, open account`),
  leaderboard: t`Leaderboard`,
  challenge: t`Today's challenge`,
  dare: {
    /** The name stands in place of the tags. */
    won: (wins: number, day: string | null): string =>
      day
        ? t`<0>name</0> won ${wins} of 5 on ${day}. Today's five are new.`
        : t`<0>name</0> won ${wins} of 5 today. Can you beat that?`,
    nobody: t`There is no dare behind this link.`,
    signIn: t`Sign in and play the same five`,
  },
  /** The games of a challenge as tiles. */
  tiles: {
    letters: {
      win: t({ message: 'W', context: 'a won game, in one letter' }),
      lose: t({ message: 'L', context: 'a lost game, in one letter' }),
      draw: t({ message: 'D', context: 'a drawn game, in one letter' }),
      underWay: '…',
    },
    states: { win: t`won`, lose: t`lost`, draw: t`drawn`, underWay: t`under way`, none: t`not played` },
    tile: (number: number, difficulty: Difficulty, state: string): string =>
      t`Game ${number}, ${{ difficulty: messages.play.difficulties[difficulty].name }}: ${state}`,
  },
  badges: {
    first_easy_win: t`First win on Easy`,
    first_medium_win: t`First win on Medium`,
    first_hard_draw: t`First draw on Hard`,
    ten_hard_draws: t`Ten draws on Hard`,
  },

  linkHint: (provider: string): string =>
    t`Played here with ${{ provider: providerName(provider) }} before? Keep one score.`,

  shortcuts: {
    title: t`Keyboard shortcuts`,
    open: t`Keyboard shortcuts`,
    enabled: t`Use single-key shortcuts`,
    list: [
      [t`Arrow keys`, t`Move over the board`],
      [t`Enter, Space`, t`Mark the square`],
      ['N', t`New game`],
      ['L', t`Leaderboard`],
      ['1, 2, 3', t`Easy, Medium, Hard`],
      ['?', t`This list`],
    ] as const,
  },

  notLoaded: {
    title: t`Not loaded`,
    text: t`Couldn't load this. Check your connection and reload the page.`,
  },

  time: {
    now: t`just now`,
    /** English without Intl, which the first paint would wait for. */
    ago: (count: number, unit: 'minute' | 'hour' | 'day'): string => {
      if (language !== 'en') return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-count, unit);
      return unit === 'day' && count === 1 ? 'yesterday' : `${counted(count, unit)} ago`;
    },
  },

  theme: { toLight: t`Use the light theme`, toDark: t`Use the dark theme` },
};
