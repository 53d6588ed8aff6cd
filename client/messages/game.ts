import type { Mark, Square } from '../../game/board.js';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { messages as login } from './login.js';

const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: 'Google', github: 'GitHub' };
export const providerName = (provider: string): string => PROVIDER_NAMES[provider] ?? provider;

/**
 * All messages of the page. The strings of the specification are exact. A second language is another object of this
 * shape.
 */
export const messages = {
  ...login,

  close: 'Close',

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
    bonus: '🎉 3 WINS IN A ROW! +1 BONUS POINT!',
    newGame: 'New Game',
    difficulty: 'Difficulty',
    difficulties: {
      easy: { name: 'Easy', description: 'Bot plays randomly' },
      medium: { name: 'Medium', description: '50% smart moves' },
      hard: { name: 'Hard', description: 'Unbeatable AI' },
    } satisfies Record<Difficulty, { name: string; description: string }>,
    practice: "Practice game: the server cannot be reached, so this one won't count.",
    practiceSoon: 'Connecting… Until then, this is a practice game.',
    practiceToday: (time: string): string =>
      `Practice game: today's limit is reached, and games count again from ${time}.`,
    savedTomorrow: (time: string): string =>
      `Today's limit is reached. Your result is stored in this browser and counts from ${time}.`,
    savedLater: 'Not saved yet. Your result is stored in this browser and will be saved later.',
    dropped: 'A finished game could not be counted:',
    dismiss: 'Dismiss',
    hardDraws: (inARow: number, best: number): string => {
      if (best === 0) return 'Nobody beats this bot. How many draws in a row can you hold?';
      if (inARow >= best) return `${inARow} ${inARow === 1 ? 'draw' : 'draws in a row'}: your best yet.`;
      const more = best + 1 - inARow;
      return `Draws in a row: ${inARow}. ${more} more ${more === 1 ? 'beats' : 'beat'} your best of ${best}.`;
    },
    news: {
      badge: (name: string): string => `🏅 New badge: ${name}`,
      hardDraws: (best: number): string => `🏅 New best: ${best} draws in a row on Hard`,
      climbed: (place: string): string => `📈 Up to ${place} on the leaderboard`,
    },
    sessionEnded: {
      first: 'Your session has ended: finish this game, then',
      over: 'Your session has ended:',
      signIn: 'sign in again',
      toSave: 'to save it.',
      toGoOn: 'to go on.',
    },
  },

  /** Without points, because a trial game is not scored. */
  trialResult: {
    win: '🎊 YOU WIN!',
    lose: '😢 BOT WINS!',
    draw: "🤝 IT'S A DRAW!",
  } satisfies Record<Result, string>,
  trialOver: 'Sign in to keep your score',

  announcements: {
    newGame: 'New game.',
    playerMarked: (square: Square): string => `You marked ${messages.play.squares[square].toLowerCase()}.`,
    botMarked: (square: Square): string => `Bot marked ${messages.play.squares[square].toLowerCase()}.`,
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
    empty: 'Your finished games will be listed here.',
    failed: 'Your last games could not be loaded.',
    retry: 'Try again',
    more: 'Show more',
    archived: (games: string, before: string): string =>
      `Archived games from before ${before}: ${games}. They still count, but can't be replayed.`,
    result: { win: 'Win', lose: 'Loss', draw: 'Draw' } satisfies Record<Result, string>,
    against: (difficulty: Difficulty): string => messages.play.difficulties[difficulty].name,
    points: (points: number): string => (Math.abs(points) === 1 ? 'point' : 'points'),
    replay: 'Replay:',
  },

  replay: {
    title: 'Replay',
    start: (first: number): string => (first ? 'The position' : 'Before the first move'),
    at: (move: number, of: number, mark: Mark, square: Square): string =>
      `Move ${move} of ${of}: ${mark} to ${messages.play.squares[square].toLowerCase()}`,
    deciding: (mark: Mark, better: string): string =>
      `Deciding move. Better for ${mark === 'X' ? 'you' : 'the bot'}: ${better}.`,
    decidingMove: 'the deciding move',
    noMistake: 'No deciding move: neither side made a mistake.',
    /** Groups of squares with a name of their own. */
    corners: 'any corner',
    edges: 'any edge',
    moves: 'Moves',
    controls: { first: 'To the start', previous: 'Previous move', next: 'Next move', last: 'To the end' },
    play: 'Play',
    pause: 'Pause',
    verdict: {
      checked: (result: Result): string =>
        `Verified: this browser replayed the game and got the same moves. Result: ${messages.history.result[result].toLowerCase()}.`,
      secret: 'The seed of a challenge game is public after the day. Then this browser can check the game.',
      abandoned: 'This game was not finished before its day ended, so it is lost.',
      differs: 'Warning: a replay in this browser does not match the recorded game.',
      reported: 'Only the result of this game was reported, so there are no moves to show or check.',
    },
  },

  how: {
    title: 'How to Play',
    rows: [
      ['Objective', 'Get three Xs in a row: across, down or diagonally.'],
      ['Scoring', 'Win +1, loss −1, draw 0.'],
      ['Bonus', 'Three wins in a row earn +1 more.'],
      ['Difficulty', 'Easy plays randomly, Medium is smart half the time, Hard cannot be beaten.'],
    ] as const,
  },

  challenge: "Today's challenge",
  badges: {
    first_easy_win: 'First win on Easy',
    first_medium_win: 'First win on Medium',
    first_hard_draw: 'First draw on Hard',
    ten_hard_draws: 'Ten draws on Hard',
    first_hard_win: 'First win on Hard',
    seven_challenge_days: 'Seven-day challenge streak',
  },
  playChallenge: 'Play',

  linkHint: {
    text: (provider: string): string =>
      `${providerName(provider)} was used here before. Was it you? Link both in your account to keep one score.`,
    open: 'Open account',
  },

  leaderboard: {
    title: 'Leaderboard',
    subtitle: 'Top 10 Players',
    failed: 'Failed to load leaderboard',
    retry: 'Try again',
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
    ordinals: { one: 'st', two: 'nd', few: 'rd', other: 'th' },
    tabs: { all: 'All time', week: 'This week', challenge: "Today's challenge" },
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
  },

  account: {
    title: 'Account',
    of: 'Account of',
    signedInWith: (provider: string): string => `Signed in with ${providerName(provider)}`,
    retry: 'Try again',
    needsSignIn:
      'To protect your account, this needs a sign-in from the last ten minutes. After you sign in, you can confirm it here.',
    signInAgain: (provider: string): string => `Sign in again with ${providerName(provider)}`,
    tabs: { profile: 'Profile', 'sign-in': 'Sign-in', tokens: 'Tokens', data: 'Data' },
    feedback: { sound: 'Sound', both: 'Sound and vibration' },
    switches: { sound: 'Play sounds', vibration: 'Vibrate' },
    browsers: 'Signed-in browsers',
    loading: 'Loading signed-in browsers',
    thisBrowser: 'This browser',
    signedIn: 'Signed in',
    lastSeen: 'Last seen',
    inUse: 'In use now',
    signOut: 'Sign out',
    signOutOf: (browser: string): string => `Sign out ${browser}`,
    signOutOthers: 'Sign out all other browsers',
    signOutEverywhere: 'Sign out everywhere',
    install: 'Install Tic-Tac-Toe',
    installText: 'It opens in its own window, even without a network.',
    data: 'Your data',
    download: 'Download my data',
    delete: 'Delete account',
    deleteTitle: 'Delete your account?',
    deleteText:
      'Your profile, score, games and sessions are removed from this server at once. This cannot be undone. For 30 days we keep a code of your sign-in that shows neither your name nor your address.',
    deleteForGood: 'Delete for good',
    keep: 'Keep my account',
    failed: {
      browsers: 'Your signed-in browsers could not be loaded.',
      signOut: 'That browser could not be signed out.',
      signOutOthers: 'Your other browsers could not be signed out.',
      signOutEverywhere: 'You could not be signed out everywhere.',
      download: 'Your data could not be downloaded.',
      signInAgain: 'The sign-in could not be started. Please try again.',
      delete: 'The server did not confirm that your account was deleted. Please try again.',
    },
    done: {
      signOut: (browser: string): string => `${browser} has been signed out.`,
      signOutOthers: 'All other browsers have been signed out.',
      download: 'Your data has been downloaded.',
    },
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    open: 'Keyboard shortcuts',
    enabled: 'Use single-key shortcuts',
    list: [
      ['Arrow keys', 'Move over the board'],
      ['Home, End', 'First or last square of the row'],
      ['Enter, Space', 'Mark the square'],
      ['N', 'New game'],
      ['L', 'Leaderboard'],
      ['1, 2, 3', 'Easy, Medium, Hard'],
      ['?', 'This list'],
    ] as const,
  },

  notLoaded: {
    title: 'Not loaded',
    text: 'This part of the page could not be loaded. Please check your connection and reload the page.',
  },

  time: {
    now: 'just now',
    ago: (count: number, unit: 'minute' | 'hour' | 'day'): string =>
      unit === 'day' && count === 1 ? 'yesterday' : `${count} ${unit}${count === 1 ? '' : 's'} ago`,
    date: (date: Date): string => {
      const [, month, day, year] = date.toDateString().split(' ');
      return `${month} ${Number(day)}, ${year}`;
    },
  },

  theme: { toLight: 'Use the light theme', toDark: 'Use the dark theme' },
} as const;
