import type { AccountSection } from './account-sections.js';

/** A part of the document, asked for when its turn comes. */
export interface DocumentPart {
  readonly name: string;
  readonly content: () => ReturnType<AccountSection['contentFor']>;
}

/**
 * The text that `JSON.stringify` gives for a document of these parts, indented by two, piece by piece. What stands before
 * the first list comes with the first piece.
 */
export async function* documentText(parts: readonly DocumentPart[]): AsyncGenerator<string> {
  let text = '{';
  for (const [index, { name, content }] of parts.entries()) {
    text += `${index > 0 ? ',' : ''}\n  ${JSON.stringify(name)}: `;
    const value = content();
    if (Symbol.asyncIterator in value) {
      yield text;
      yield* listText(value);
      text = '';
    } else {
      text += textOf(await value, '  ');
    }
  }
  yield `${text}\n}`;
}

async function* listText(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let before = '[';
  for await (const page of pages) {
    let text = '';
    for (const row of page) {
      text += `${before}\n    ${textOf(row, '    ')}`;
      before = ',';
    }
    yield text;
  }
  yield before === '[' ? '[]' : '\n  ]';
}

/** The whole document is one player's, so its rows need not say whose they are. */
function textOf(value: unknown, indent: string): string {
  const text = JSON.stringify(value, (key, inner: unknown) => (key === 'playerId' ? undefined : inner), 2);
  return text.replaceAll('\n', `\n${indent}`);
}
