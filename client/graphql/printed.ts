import type { ASTNode } from 'graphql';

/**
 * The text of a generated document. `scripts/types.js` has printed it into the document, so the page ships without
 * GraphQL's printer; Vite also gives Apollo this one (see vite.config.ts).
 */
export function print(document: ASTNode): string {
  const text = document.loc?.source.body;
  if (!text) throw new Error('Only documents from generated.ts carry their text');
  return text;
}
