import { type Command, InvalidArgumentError } from 'commander';
import { type Decision, type Moderation, problemOfEnd } from '../moderation/moderation.js';
import { decidedPlayers, findPlayers, showPlayer } from '../moderation/player-reports.js';
import { OperatorError } from '../base/errors.js';
import { Clock } from '../base/clock.js';
import { decides, decidesEach, moderate } from './change.js';
import { playerId, withDatabase } from './session.js';
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
        const found = await findPlayers(database.manager, text);
        if (json) terminal.printJson(found);
        else terminal.printTable(found, ['id', 'name', 'email', 'provider', 'score', 'games', 'state', 'created']);
      }),
    );

  player
    .command('list')
    .description('list the hidden or the banned players, the newest decision first, with its reason')
    .option('--banned', 'the banned players, and then the bans of deleted accounts')
    .option('--hidden', 'the hidden players')
    .option('--json', 'print JSON')
    .action(({ banned, hidden, json }: { banned?: boolean; hidden?: boolean; json?: boolean }) => {
      if (banned === hidden) throw new OperatorError('Give either --banned or --hidden.');
      return withDatabase(terminal, async ({ database: { manager } }) => {
        const players = await decidedPlayers(manager, banned ? 'banned' : 'hidden');
        if (json) terminal.printJson(players);
        else
          terminal.printTable(players, [
            'since',
            ...(banned ? ['until' as const] : []),
            'id',
            'name',
            'score',
            'reason',
          ]);
      });
    });

  player
    .command('show <player>')
    .description('show a player with identities, stats and the newest decisions')
    .option('--json', 'print JSON')
    .action((id: string, { json }: { json?: boolean }) =>
      withDatabase(terminal, async ({ database }) => {
        const shown = await showPlayer(database.manager, playerId(id));
        if (!shown) throw new OperatorError(`There is no player ${id}.`);
        if (json) terminal.printJson(shown);
        else terminal.printFields(shown);
      }),
    );
}

function addDecisions(player: Command, terminal: Terminal): void {
  const decision = (
    name: string,
    description: string,
    decide: (moderation: Moderation, id: string, options: { until?: Date }) => Promise<Decision>,
  ) =>
    decidesEach(player.command(`${name} [player]`))
      .description(description)
      .action((id: string | undefined, options: { until?: Date }, command: Command) =>
        moderate(terminal, command, id, async (moderation, each) => decide(moderation, playerId(each), options)),
      );

  decides(player.command('rename <player> [name]'))
    .description("replace the name; the provider's name does not overwrite it")
    .option('--restore', "let the next sign-in bring the provider's name back")
    .action((id: string, name: string | undefined, { restore }: { restore?: boolean }, command: Command) => {
      if ((name === undefined) === !restore) throw new OperatorError('Give either a new name or --restore.');
      return moderate(terminal, command, id, async (to, each) =>
        name === undefined ? to.restoreName(playerId(each)) : to.rename(playerId(each), name),
      );
    });
  decision('hide', 'take the player off the boards; the player still plays', (to, id) => to.hide(id));
  decision('unhide', 'put a hidden player back on the boards', (to, id) => to.unhide(id));
  decision(
    'ban',
    'sign the player out everywhere, block the sign-in, and hide the player; again: change the end',
    (to, id, { until }) => to.ban(id, until),
  ).option('--until <time>', 'when the ban ends by itself, in UTC, such as 2027-01-31 or 2027-01-31T12:00', endOfBan);
  decision('unban', 'let a banned player sign in again, also after the account was deleted', (to, id) => to.unban(id));
  decision('sign-out', 'end all sessions of the player', (to, id) => to.signOut(id));
  decision('delete', 'delete the account with all games; a ban stays', (to, id) => to.delete(id));
}

function endOfBan(text: string): Date {
  const [, day, time = 'T00:00'] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2})?)?Z?$/.exec(text) ?? [];
  const until = new Date(`${day}${time}Z`);
  // The 31st of a shorter month would be another day.
  const isTime = !Number.isNaN(until.getTime()) && until.toISOString().startsWith(day!);
  if (!isTime) throw new InvalidArgumentError('It must be a time in UTC such as 2027-01-31 or 2027-01-31T12:00.');
  const problem = problemOfEnd(until, new Clock().now());
  if (problem) throw new InvalidArgumentError(`It ${problem}.`);
  return until;
}
