import { type Command, InvalidArgumentError } from 'commander';
import { readAudit } from '../moderation/audit.js';
import { playerId, withDatabase } from './session.js';
import type { Terminal } from './terminal.js';

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
      withDatabase(terminal, async ({ database: { manager } }) => {
        const entries = await readAudit(manager, { since, playerId: player, limit });
        if (json) terminal.printJson(entries);
        else
          terminal.printTable(entries, ['at', 'operator', 'action', 'playerId', 'target', 'reason', 'before', 'after']);
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
