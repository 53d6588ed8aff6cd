import type { Command } from 'commander';
import type { Decision, Moderation } from '../moderation/moderation.js';
import { findPlayers, showPlayer } from '../moderation/player-reports.js';
import { isUuid } from '../../base/uuid.js';
import { moderate } from './change.js';
import { ownerNamed, playerId } from './player-id.js';
import { CommandError, withDatabase } from './session.js';
import type { Terminal } from './terminal.js';

export function addPlayerCommands(program: Command, terminal: Terminal): void {
  const player = program.command('player').description('Find a player, and decide about one');
  addReports(player, terminal);
  addDecisions(player, terminal);
}

function addReports(player: Command, terminal: Terminal): void {
  player
    .command('find <text>')
    .description('find players by id, by email address, or by a part of the name')
    .option('--json', 'print JSON')
    .action((text: string, { json }: { json?: boolean }) =>
      withDatabase(terminal, async ({ database }) => {
        const wanted = isUuid(text) ? await ownerNamed(database, playerId(text), json ? undefined : terminal) : text;
        const found = await findPlayers(database, wanted);
        if (json) terminal.printJson(found);
        else terminal.printTable(found, ['id', 'name', 'email', 'provider', 'score', 'games', 'state', 'created']);
      }),
    );

  player
    .command('show <player>')
    .description('show a player with identities, stats and the newest decisions')
    .option('--json', 'print JSON')
    .action((id: string, { json }: { json?: boolean }) =>
      withDatabase(terminal, async ({ database }) => {
        const owner = await ownerNamed(database, playerId(id), json ? undefined : terminal);
        const shown = await showPlayer(database, owner);
        if (!shown) throw new CommandError(`There is no player ${id}.`);
        if (json) terminal.printJson(shown);
        else terminal.printFields(shown);
      }),
    );
}

function addDecisions(player: Command, terminal: Terminal): void {
  const decision = (
    name: string,
    description: string,
    decide: (moderation: Moderation, id: string) => Promise<Decision>,
  ) =>
    player
      .command(`${name} <player>`)
      .description(description)
      .option('--reason <text>', 'why; stored in the audit')
      .action((id: string, _options: object, command: Command) =>
        moderate(terminal, command, async (moderation, { database }) =>
          decide(moderation, await ownerNamed(database, playerId(id), terminal)),
        ),
      );

  player
    .command('rename <player> [name]')
    .description("replace the name; the provider's name does not overwrite it")
    .option('--restore', "let the next sign-in bring the provider's name back")
    .option('--reason <text>', 'why; stored in the audit')
    .action((id: string, name: string | undefined, { restore }: { restore?: boolean }, command: Command) => {
      if ((name === undefined) === !restore) throw new CommandError('Give either a new name or --restore.');
      return moderate(terminal, command, async (moderation, { database }) => {
        const owner = await ownerNamed(database, playerId(id), terminal);
        return name === undefined ? moderation.restoreName(owner) : moderation.rename(owner, name);
      });
    });
  decision('hide', 'take the player off the boards; the player still plays', (to, id) => to.hide(id));
  decision('unhide', 'put a hidden player back on the boards', (to, id) => to.unhide(id));
  decision('ban', 'sign the player out everywhere, block the sign-in, and hide the player', (to, id) => to.ban(id));
  decision('unban', 'let a banned player sign in again, also after the account was deleted', (to, id) => to.unban(id));
  decision('sign-out', 'end all sessions of the player', (to, id) => to.signOut(id));
  decision('delete', 'delete the account with all games; a ban stays', (to, id) => to.delete(id));
}
