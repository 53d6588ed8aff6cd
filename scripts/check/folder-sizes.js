/** Finds the folders with too many files. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../machine/run.js';
import { LIMITED, MAX_FILES } from './size-limits.js';

/**
 * @param {readonly string[]} folders each with all folders inside it, except installed packages
 * @returns {string[]} a sentence for each folder that is too large
 */
export function crowdedFolders(folders = LIMITED, root = ROOT) {
  return folders.flatMap((folder) => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).length;
    const inside = entries
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .map(({ name }) => `${folder}/${name}`);
    const crowded = files > MAX_FILES ? [`${folder}/ has ${files} files, at most ${MAX_FILES} are allowed.`] : [];
    return [...crowded, ...crowdedFolders(inside, root)];
  });
}
