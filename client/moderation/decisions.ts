import type { TypedDocumentNode } from '@apollo/client';
import {
  BanPlayerDocument as ban,
  HidePlayerDocument as hide,
  RenamePlayerDocument as rename,
  RestorePlayerNameDocument as restoreName,
  SignOutPlayerDocument as signOutEverywhere,
  UnbanPlayerDocument as unban,
  UnhidePlayerDocument as unhide,
  UnvoidGameDocument as unvoidGame,
  VoidGameDocument as voidGame,
  type BanPlayerMutation,
  type BanPlayerMutationVariables,
  type ModeratedRowFragment,
} from '../graphql/generated.js';
import { inWords } from './words.js';

/** The texts of the page name them as these keys do. */
const DOCUMENTS = {
  ...{ hide, unhide, ban, unban, rename, restoreName, signOutEverywhere },
  ...{ void: voidGame, unvoid: unvoidGame },
};
export type Action = keyof typeof DOCUMENTS;

const EFFECTS: Readonly<Record<Action, string>> = {
  rename: 'The player has the new name everywhere, and keeps it.',
  restoreName: 'The next sign-in brings the name of the provider back.',
  hide: 'The player leaves all boards, plays on, and keeps stats and history.',
  unhide: 'The player is on the boards again, unless banned.',
  ban: 'The player is signed out everywhere, cannot sign in, and leaves all boards.',
  unban: 'The player may sign in again, and is on the boards again, unless hidden.',
  signOutEverywhere: 'The player is signed out of all browsers and programs, and may sign in again.',
  void: 'The game no longer counts: score, streak and boards follow, and its public replay is gone.',
  unvoid: 'The game counts again: score, streak and boards follow, and its replay is public again.',
};

const OPPOSITES: Readonly<Partial<Record<Action, Action>>> = {
  ...{ rename: 'restoreName', restoreName: 'rename', hide: 'unhide', unhide: 'hide', ban: 'unban', unban: 'ban' },
  ...{ void: 'unvoid', unvoid: 'void' },
};

const isChangeOfEnd = (action: Action, { bannedAt }: ModeratedRowFragment) => action === 'ban' && bannedAt !== null;

export const titleOf = (action: Action, player: ModeratedRowFragment) =>
  isChangeOfEnd(action, player) ? 'Change the end' : inWords(action);

export const effectOf = (action: Action, player: ModeratedRowFragment) =>
  isChangeOfEnd(action, player) ? 'The player stays banned, until the new end.' : EFFECTS[action];

/** What a moderator is about to decide: the fields of the form as they are typed. */
export interface Draft {
  readonly action: Action;
  readonly id: string;
  readonly gameId?: string;
  readonly reason?: string;
  readonly name?: string;
  /** The end of a ban as `datetime-local` has it: in the time zone of the moderator. */
  readonly until?: string;
}

/** GraphQL leaves out the variables that a mutation does not have. */
export function requestOf({ action, id, gameId = '', reason = '', name = '', until }: Draft) {
  const mutation: TypedDocumentNode<BanPlayerMutation, BanPlayerMutationVariables & { name: string; gameId: string }> =
    DOCUMENTS[action];
  // The audit takes visible characters alone.
  const line = reason.replaceAll(/\s+/g, ' ').trim();
  const end = until ? new Date(until).toISOString() : null;
  return { mutation, variables: { id, gameId, reason: line, name, until: end } };
}

/** The decision that brings the state before back. */
export function undoOf({ action, gameId, reason = '' }: Draft, before: ModeratedRowFragment): Draft | undefined {
  // A second name or end of a ban has one before it.
  const again = (action === 'rename' && before.renamedAt) || (action === 'ban' && before.bannedAt);
  const opposite = again ? action : OPPOSITES[action];
  return (
    opposite && { ...draftOf(opposite, before), gameId, reason: `Undo: ${reason.replace('Undo: ', '')}`.slice(0, 500) }
  );
}

/** A draft with the values of now. */
export function draftOf(action: Action, { id, name, bannedUntil }: ModeratedRowFragment): Draft {
  return { action, id, name, until: bannedUntil ? toInput(Date.parse(bannedUntil)) : '' };
}

export function toInput(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
