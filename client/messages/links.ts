import { providerName } from './game.js';

/** The messages about sign-in methods, in their own file because they load with the account dialog. */
export const messages = {
  title: 'Sign-in methods',
  loading: 'Loading sign-in methods',
  provider: providerName,
  linked: 'Linked',
  notLinked: 'Not linked',
  link: 'Link',
  linkWith: (provider: string): string => `Link ${providerName(provider)}`,
  unlink: 'Unlink',
  unlinkFrom: (provider: string): string => `Unlink ${providerName(provider)}`,
  both: 'Link both to sign in with either.',
  question: (provider: string): string => `Link ${providerName(provider)} to this account?`,
  who: (name: string, email: string | null): string => (email ? `${name}, ${email}` : name),
  effect: (provider: string): string => `You can then sign in to this account with ${providerName(provider)}, too.`,
  refused: (provider: string): string => `${providerName(provider)} is not linked`,
  cancel: 'Cancel',
  close: 'Close',
  unlinkQuestion: (provider: string): string => `Unlink ${providerName(provider)}?`,
  unlinkText: (provider: string): string =>
    `A sign-in with ${providerName(provider)} then makes a new account. Your other browsers are signed out.`,
  keep: 'Keep it linked',
  expired: 'This link has expired, or another browser began it. Start it again.',
  done: {
    link: (provider: string): string => `${providerName(provider)} is linked.`,
    unlink: (provider: string): string => `${providerName(provider)} is unlinked.`,
  },
  failed: {
    load: 'Your sign-in methods could not be loaded.',
    link: 'The link could not be completed. Please try again.',
    unlink: 'This sign-in method could not be unlinked.',
  },
} as const;
