import type { AccountSection } from './account-sections.js';

/** A part of the document, asked for when its turn comes. */
export interface DocumentPart {
  readonly name: string;
  readonly content: () => ReturnType<AccountSection['contentFor']>;
}

/** The text that `JSON.stringify` gives for a document of these parts, indented by two, piece by piece. */
export async function* documentText(parts: readonly DocumentPart[]): AsyncGenerator<string> {
  let before = '{';
  for (const { name, content } of parts) {
    yield `${before}\n  ${JSON.stringify(name)}: `;
    before = ',';
    const value = content();
    if (Symbol.asyncIterator in value) yield* listText(value);
    else yield textOf(await value, '  ');
  }
  yield '\n}';
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
