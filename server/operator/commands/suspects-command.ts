import { type Command, InvalidArgumentError } from 'commander';
import { stateOf } from '../../moderation/player-reports.js';
import { findSuspects, namedSuspects } from '../../moderation/suspects.js';
import { withDatabase } from './session.js';
import type { Terminal } from './terminal.js';

interface Options {
  days: number;
  least: number;
  json?: boolean;
}

export function addSuspectsCommand(program: Command, terminal: Terminal): void {
  program
    .command('suspects')
    .description('list players whose games look like those of a program; changes nothing')
    .option('--days <number>', 'look at the verified games of so many days', wholeNumber, 14)
    .option('--least <score>', 'only players with at least this score', wholeNumber, 50)
    .option('--json', 'print JSON')
    .action(({ days, least, json }: Options) =>
      withDatabase(terminal, async ({ database: { manager }, env: { gamesPerDay } }) => {
        const found = await findSuspects(manager, { days, least, gamesPerDay });
        const suspects = (await namedSuspects(manager, found)).map(
          ({ player: { id, name, ...player }, ...suspect }) => {
            const { score, games, reasons } = suspect;
            return { score, id, name, state: stateOf(player), games, reasons, next: `ttt player show ${id}` };
          },
        );
        if (json) return terminal.printJson(suspects);
        terminal.printTable(
          suspects.map((suspect) => ({ ...suspect, reasons: suspect.reasons.join('; ') })),
          ['score', 'id', 'name', 'state', 'games', 'reasons'],
        );
        if (suspects.length > 0) {
          terminal.print(
            'Look at a player before you decide: ttt player show ID. Then: ttt player hide ID --reason "…"',
          );
        }
      }),
    );
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
  return Number(text);
}
