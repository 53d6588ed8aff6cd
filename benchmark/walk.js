/**
 * `npm run walk`: how far a request goes through our own code: the files and lines that run for exactly one warm `finishGame`, one `me`
 * with the stats, and one REST top ten. `npm run walk -- --lines` names each line, `--root FOLDER` walks another checkout that is built.
 *
 * How it counts: the compiled server runs in this process under V8's precise coverage, which counts each block. A line counts when
 * it has code that the request ran, comments and lines with nothing but brackets left out; a file counts when it has such a line.
 * Lines are those of the TypeScript sources. The request is sent five times, and what all five have run is the walk: the rest is
 * background work. Packages do not count.
 */
import '../scripts/machine/node-version.js';
