import type { Square } from '../game/board.js';
import type { Difficulty } from '../game/bot.js';
import type { Result } from '../game/rules.js';

/**
 * Every text of the page in one place. The strings of the specification are exact; a second language is a second
 * object of this shape.
 */
export const texts = {
  title: 'Tic-Tac-Toe',

  auth: {
    tagline: 'Challenge the AI and climb the leaderboard!',
    continueWith: { google: 'Continue with Google', github: 'Continue with GitHub' },
    redirecting: 'Redirecting to login...',
    footer: 'Secure OAuth 2.0 authentication',
    processing: 'Processing authentication...',
    loading: 'Loading...',
    checking: 'Checking authentication...',
    player: 'Player',
    logout: 'Logout',
    logoutFailed: 'You are still signed in: the server could not be reached. Please try again.',
    loadingTimeout: 'Auth loading timeout',
    noSession: 'No session found',
    noToken: 'No auth token',
    loginFailed: 'Login failed. Please try again.',
    unreachable: 'The server could not be reached. Please check your connection and try again.',
    loginErrors: {
      access_denied: 'You did not allow the sign-in. Nothing was shared; you can try again.',
      sign_in_expired: 'That sign-in took too long or was already used. Please try again.',
      provider_unavailable: 'The sign-in service is not answering at the moment. Please try again in a little while.',
      provider_not_set_up: 'This way to sign in is not set up here. Please choose the other one.',
      foreign_code: 'That sign-in was not started in this tab. Please sign in from here.',
    },
  },

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
    ] satisfies string[],
    square: (square: Square, mark: string | null): string => `${texts.play.squares[square]}, ${mark ?? 'empty'}`,
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
    practice: 'Practice game: the server cannot be reached, so this one will not count.',
    practiceSoon: 'Connecting… until then this is a practice game.',
    savedLater: 'Not saved yet. Your result is kept here and will be saved later.',
    dropped: 'A finished game could not be counted:',
    dismiss: 'Dismiss',
  },

  announcements: {
    newGame: 'New game. Your turn (X).',
    playerMarked: (square: Square): string =>
      `You marked ${texts.play.squares[square]?.toLowerCase()}. Bot's turn (O).`,
    botMarked: (square: Square): string => `Bot marked ${texts.play.squares[square]?.toLowerCase()}. Your turn (X).`,
    botMarkedLast: (square: Square): string => `Bot marked ${texts.play.squares[square]?.toLowerCase()}.`,
  },

  stats: {
    title: 'Your Stats',
    score: 'Total Score',
    streak: 'Win Streak',
    wins: 'Wins',
    losses: 'Losses',
    draws: 'Draws',
    loading: 'Loading stats...',
    failed: 'Failed to load stats',
  },

  how: {
    title: 'How to Play',
    rows: [
      ['Objective', 'Get three of your X in a row: across, down or diagonally.'],
      ['Scoring', 'Win +1, loss −1, draw 0.'],
      ['Bonus', 'Three wins in a row earn +1 more.'],
      ['Difficulty', 'Easy plays randomly, Medium is smart half the time, Hard cannot be beaten.'],
    ] as const,
  },

  leaderboard: {
    title: 'Leaderboard',
    subtitle: 'Top 10 Players',
    close: 'Close',
    failed: 'Failed to load leaderboard',
    retry: 'Try again',
    empty: 'No players yet. Be the first!',
    loading: 'Loading leaderboard',
    you: 'You',
    medals: ['Gold medal, rank 1', 'Silver medal, rank 2', 'Bronze medal, rank 3'] as const,
    rank: (rank: number): string => `#${rank}`,
    record: (wins: string, losses: string, draws: string): string => `${wins}W · ${losses}L · ${draws}D`,
    winRate: (percent: number): string => `${percent}% win rate`,
    points: 'points',
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    open: 'Keyboard shortcuts',
    enabled: 'Use single-key shortcuts',
    close: 'Close',
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

  theme: { toLight: 'Use the light theme', toDark: 'Use the dark theme' },

  crash: {
    title: 'Something went wrong',
    text: 'The page hit a problem it could not solve. Your finished games are safe.',
    reload: 'Reload',
  },

  playground: {
    title: 'Playground',
    signedInAs: (name: string): string => `Signed in as ${name}`,
    signedOut: 'Not signed in: sign in on the game page, then come back.',
    toGame: 'To the game',
  },
} as const;
