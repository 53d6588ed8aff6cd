/** The messages of the playground, which is a separate page. */
export const messages = {
  title: 'Playground',
  signedInAs: (name: string): string => `Signed in as ${name}`,
  signedOut: 'Not signed in.',
  signIn: 'Sign in',
  toGame: 'To the game',
  toRest: 'REST API',
  checking: 'Checking authentication...',

  views: 'View',
  operation: 'Operation',
  result: 'Result',
  actions: 'Actions',

  stop: 'Stop the subscription',
  // A line breaks only between two parts.
  measured: (status: number, milliseconds: string): string => `HTTP\u00a0${status}\u00a0· ${milliseconds}\u00a0ms`,
  cost: (requested: string, left: string): string =>
    `\u00a0· cost\u00a0${requested}\u00a0· ${left}\u00a0left\u00a0this\u00a0minute`,

  showCode: 'Copy as code',
  code: 'Request as code',
  language: 'Language',
  languages: { curl: 'curl', javascript: 'JavaScript', python: 'Python' },
  codeHoldsToken: 'The copy holds your access token: anyone who has it can act as you for ten minutes.',
  copyCode: 'Copy',
  codeCopied: 'Copied.',
  codeCopiedWithToken: 'Copied with your access token. Anyone who has it can act as you for ten minutes.',
  noCode: (why: string): string => `The request cannot be code: ${why}`,
  noCodeForSockets: 'A subscription runs over a WebSocket: use a graphql-ws client.',

  copyToken: 'Copy access token',
  tokenCopied: 'Copied your access token. Anyone who has it can act as you for ten minutes.',
  signedOutMeanwhile: 'You are no longer signed in. Load the page again to sign in.',

  fillIn: 'Fill in a finished game',
  noTicket: 'Run StartGame first, with token, seed and difficulty: the game needs its ticket.',
  playing: 'Playing… The bot takes half a second for each of its moves.',
  filledIn: (result: string): string => `Filled in ticket and squares of a game that ends in a ${result}. Run it.`,

  notCopied: (why: string): string => `Nothing was copied: ${why}`,
  noClipboard: 'this browser does not let this page use the clipboard.',
  socketLost: (code: number | null, reason: string): string =>
    `The WebSocket was closed${code === null ? '' : ` (${code})`}${reason && `: ${reason}`}. Run the subscription again.`,
} as const;
