/** In place of GraphQL's own (see vite.config.ts): it writes what was no syntax tree, which generated documents are. */
export const inspect = String;
