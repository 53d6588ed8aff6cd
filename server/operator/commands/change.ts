import type { Command } from 'commander';
import type { Authorization } from '../moderation/audit.js';
import { type Decision, Moderation } from '../moderation/moderation.js';
import { authorizationOf, type Session, withDatabase } from './session.js';
import type { Terminal } from './terminal.js';

/** Makes one change with its authorization, and says what has changed. */
async function change(
  terminal: Terminal,
  command: Command,
  make: (session: Session, authorization: Authorization) => Promise<Decision>,
): Promise<void> {
  const authorization = await authorizationOf(terminal, command);
  await withDatabase(terminal, async (session) => {
    const { changed, said } = await make(session, authorization);
    terminal.print(changed ? said : `${said} Nothing has changed.`);
  });
}

/** Makes a decision about a player or a game. */
export function moderate(
  terminal: Terminal,
  command: Command,
  decide: (moderation: Moderation, session: Session) => Promise<Decision>,
): Promise<void> {
  return change(terminal, command, (session, authorization) =>
    decide(new Moderation(session.database, authorization), session),
  );
}
