/**
 * The compiler: TypeScript 7. The package `typescript` is version 6, whose API the linter and Nest's GraphQL module need.
 * Relative to the project's folder.
 */
export const TSC = 'node_modules/typescript-native/bin/tsc';
