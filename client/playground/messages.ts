/** The messages of the playground, which is a separate page. */
export const messages = {
  title: 'Playground',
  signedInAs: (name: string): string => `Signed in as ${name}`,
  signedOut: 'Not signed in.',
  signIn: 'Sign in',
  toGame: 'To the game',
  checking: 'Checking authentication...',

  views: 'View',
  operation: 'Operation',
  result: 'Result',
  actions: 'Actions',

  stop: 'Stop the subscription',

  copyCurl: 'Copy as curl',
  curlCopied: 'Copied the request as a curl command.',
  curlWithToken:
    'Copied the request as a curl command. It holds your access token: anyone who has it can act as you for ten minutes.',
  noCurlForSockets: 'A subscription runs over a WebSocket, which curl does not support. Use a graphql-ws client.',

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
