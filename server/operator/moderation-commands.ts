import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../base/errors.js';
import { type Decision, Moderation, problemOfEnd } from '../moderation/moderation.js';
import { authorizationOf, isForOperator, playerId, readDatabase, withDatabase } from './session.js';
import type { Terminal } from './terminal.js';
import { decidedPlayers, findPlayers, showPlayer } from '../moderation/player-lists.js';
import { Clock } from '../base/clock.js';
import { readAudit } from '../account/audit.repository.js';

type Decide = (moderation: Moderation, id: string) => Promise<Decision>;

/** The options of every decision. */
function decides(command: Command): Command {
  return command.option('--reason <text>', 'why; stored in the audit');
}

/** The same for a decision that a file can repeat. */
function decidesEach(command: Command): Command {
  return decides(command).option('--file <path>', 'decide about each id in this file, one a line; - reads the input');
}

/** Decides about the id of the command, or about each one in the file of `--file`, and says what has changed. */
async function moderate(terminal: Terminal, command: Command, named: string | undefined, decide: Decide) {
  const { file } = command.opts<{ file?: string }>();
  if ((named === undefined) === (file === undefined)) throw new OperatorError('Give either an id or --file.');
  const ids = file === undefined ? [named!] : idsIn(file);
  const authorization = await authorizationOf(terminal, command);
  await withDatabase(terminal, async ({ database }) => {
    const moderation = new Moderation(database, authorization);
    const make = async (id: string) => {
      const { changed, said } = await decide(moderation, id);
      return { changed, line: changed ? said : `${said} Nothing has changed.` };
    };
    if (file === undefined) terminal.print((await make(ids[0]!)).line);
    else await makeEach(terminal, ids, make);
  });
}

/** Each decision is a transaction of its own. One that fails does not stop the others. */
async function makeEach(
  terminal: Terminal,
  ids: readonly string[],
  make: (id: string) => Promise<{ changed: boolean; line: string }>,
): Promise<void> {
  const count = { changed: 0, unchanged: 0, failed: 0 };
  try {
    for (const id of ids) {
      try {
        const { changed, line } = await make(id);
        count[changed ? 'changed' : 'unchanged'] += 1;
        terminal.print(`${id}: ${line}`);
      } catch (error) {
        if (!isForOperator(error)) throw error;
        count.failed += 1;
        terminal.print(`${id}: FAILED: ${error.message}`);
      }
    }
  } finally {
    const { changed, unchanged, failed } = count;
    terminal.print(`${changed} of ${ids.length} changed, ${unchanged} were so already, ${failed} failed.`);
    if (failed > 0) terminal.exitCode = 1;
  }
}

/** One id a line; # begins a comment. */
function idsIn(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new OperatorError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const ids = text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean);
  if (ids.length === 0) throw new OperatorError(`${file} has no ids: write one a line.`);
  return [...new Set(ids)];
}

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
      readDatabase(terminal, async ({ database }) => {
        const found = await findPlayers(database.manager, text);
        terminal.printRows(found, json, ['id', 'name', 'email', 'provider', 'score', 'games', 'state', 'created']);
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
      return readDatabase(terminal, async ({ database: { manager } }) => {
        const players = await decidedPlayers(manager, banned ? 'banned' : 'hidden');
        const until = banned ? ['until' as const] : [];
        terminal.printRows(players, json, ['since', ...until, 'id', 'name', 'score', 'reason']);
      });
    });

  player
    .command('show <player>')
    .description('show a player with identities, stats and the newest decisions')
    .option('--json', 'print JSON')
    .action((id: string, { json }: { json?: boolean }) =>
      readDatabase(terminal, async ({ database }) => {
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

export function addGameCommands(program: Command, terminal: Terminal): void {
  const game = program.command('game').description('Decide about a game');
  const decision = (name: 'void' | 'unvoid', description: string) =>
    decidesEach(game.command(`${name} [player] [game]`))
      .description(`${description}; player show has the ids, and a line of the file has both`)
      .action((player: string | undefined, id: string | undefined, _options: object, command: Command) =>
        moderate(terminal, command, player && `${player} ${id ?? ''}`, (moderation, each) => {
          const [playerId = '', gameId] = each.split(/\s+/);
          if (!gameId) throw new OperatorError('Give the player and the game.');
          return moderation[`${name}Game`](playerId, gameId);
        }),
      );
  decision('void', 'take a game out of all sums, and recount the others');
  decision('unvoid', 'bring a voided game back into all sums, and recount the others');
}

const AUDIT_COLUMNS = ['at', 'operator', 'action', 'playerId', 'target', 'reason', 'before', 'after'] as const;

interface Options {
  since?: Date;
  player?: string;
  limit: number;
  json?: boolean;
}

export function addAuditCommand(program: Command, terminal: Terminal): void {
  program
    .command('audit')
    .description('show who changed what and why, the newest first')
    .option('--since <time>', 'only entries since then, such as 2027-01-31 or 2027-01-31T12:00Z', time)
    .option('--player <player>', 'only entries about this player', playerId)
    .option('--limit <number>', 'at most so many entries', count, 100)
    .option('--json', 'print JSON')
    .action(({ since, player, limit, json }: Options) =>
      readDatabase(terminal, async ({ database: { manager } }) => {
        const entries = await readAudit(manager, { since, playerId: player, limit });
        terminal.printRows(entries, json, AUDIT_COLUMNS);
      }),
    );
}

function time(text: string): Date {
  const parsed = new Date(text);
  if (Number.isNaN(parsed.getTime())) throw new InvalidArgumentError('It must be a time such as 2027-01-31T12:00Z.');
  return parsed;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}
