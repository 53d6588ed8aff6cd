import type { Command } from 'commander';
import { decidesEach, moderate } from './change.js';
import type { Terminal } from './terminal.js';

export function addGameCommands(program: Command, terminal: Terminal): void {
  const game = program.command('game').description('Decide about a game');
  const decision = (name: 'void' | 'unvoid', description: string) =>
    decidesEach(game.command(`${name} [game]`))
      // The id of a game may begin with a hyphen.
      .allowUnknownOption()
      .description(`${description}; <game> is the id in the API and in player show`)
      .action((id: string | undefined, _options: object, command: Command) =>
        moderate(terminal, command, id, (moderation, each) => moderation[`${name}Game`](each)),
      );
  decision('void', 'take a game out of all sums, and recount the others');
  decision('unvoid', 'bring a voided game back into all sums, and recount the others');
}
