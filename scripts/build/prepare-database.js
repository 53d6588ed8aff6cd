/** Makes `dist/embedded`: an embedded database without data, with all migrations of the built server. */
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../machine/run.js';
import { builtModule } from './ensure-built.js';

const { readEnv } = await builtModule('settings/env.js');
const { databaseOptions } = await builtModule('database/data-source.js');
const { openDatabase } = await builtModule('database/migrate.js');

const folder = join(ROOT, 'dist/embedded.new');
rmSync(folder, { recursive: true, force: true });
const database = await openDatabase(await databaseOptions(readEnv({ DATA_DIR: folder })));
await database.destroy();
// PGlite lets everybody write its files. A copy keeps the mode of the folder.
chmodSync(join(folder, 'database'), 0o700);
renameSync(join(folder, 'database'), join(ROOT, 'dist/embedded'));
rmSync(folder, { recursive: true });
