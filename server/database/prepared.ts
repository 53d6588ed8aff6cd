import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PREPARED_DATABASE } from '../settings/folders.js';

/**
 * Puts the prepared database in the place of a missing one, which saves the memory and the time of its creation. Never
 * touches an existing database. The last step is a rename, so a crash leaves no half of a copy.
 */
export function copyPrepared(folder: string, prepared = PREPARED_DATABASE): void {
  if (existsSync(folder) || !existsSync(join(prepared, 'PG_VERSION'))) return;
  const copy = `${folder}.new`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(prepared, copy, { recursive: true });
  renameSync(copy, folder);
}
