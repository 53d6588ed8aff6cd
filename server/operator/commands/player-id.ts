import { isUuid } from '../../base/uuid.js';
import { CommandError } from './session.js';

export function playerId(text: string): string {
  if (!isUuid(text)) throw new CommandError(`${text} is not the id of a player. Find it with: ttt player find <name>`);
  return text.toLowerCase();
}
