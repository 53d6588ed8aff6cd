/**
 * Nest's command line, relative to the project's folder. nest-cli.json configures `nest build` and `nest start`: swc compiles
 * game/ and server/ without checking types, which `npm run check` does.
 */
export const NEST = 'node_modules/@nestjs/cli/bin/nest.js';
