/** A part of the document: a value, or a list that comes in pages. */
export interface DocumentPart {
  readonly name: string;
  readonly content: unknown;
}

/**
 * The text that `JSON.stringify` gives for a document of these parts, indented by two, piece by piece. What stands before
 * the first list comes with the first piece.
 */
export async function* documentText(parts: readonly DocumentPart[]): AsyncGenerator<string> {
  let text = '{';
  for (const [index, { name, content }] of parts.entries()) {
    text += `${index > 0 ? ',' : ''}\n  ${JSON.stringify(name)}: `;
    if (isPaged(content)) {
      yield text;
      yield* listText(content);
      text = '';
    } else {
      text += textOf(content, '  ');
    }
  }
  yield `${text}\n}`;
}

function isPaged(content: unknown): content is AsyncIterable<readonly object[]> {
  return typeof content === 'object' && content !== null && Symbol.asyncIterator in content;
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
