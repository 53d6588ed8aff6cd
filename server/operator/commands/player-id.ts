import type { DataSource } from 'typeorm';
import { ownerOf } from '../../auth/players/merged-players.js';
import { isUuid } from '../../base/uuid.js';
import { CommandError } from './session.js';
import type { Terminal } from './terminal.js';

export function playerId(text: string): string {
  if (!isUuid(text)) throw new CommandError(`${text} is not the id of a player. Find it with: ttt player find <name>`);
  return text.toLowerCase();
}

/** The player whom an id means now. Says so, where it is the id of a merged account. */
export async function ownerNamed(database: DataSource, id: string, terminal?: Terminal): Promise<string> {
  const owner = await ownerOf(database.manager, id);
  if (owner !== id) terminal?.print(`${id} was merged into ${owner}.`);
  return owner;
}
