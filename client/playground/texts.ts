/** The texts of the playground, which is a page of its own. */
export const texts = {
  title: 'Playground',
  signedInAs: (name: string): string => `Signed in as ${name}`,
  signedOut: 'Not signed in.',
  signIn: 'Sign in',
  toGame: 'To the game',
  checking: 'Checking authentication...',
} as const;
