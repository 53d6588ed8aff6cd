import type { Command } from 'commander';
import { OperatorError } from '../base/errors.js';
import { decidesEach, moderate } from './change.js';

import type { Terminal } from './terminal.js';

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
