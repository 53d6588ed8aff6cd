/** A part of the document: a value, or a list in pages. */
export interface DocumentPart {
  readonly name: string;
  readonly content: unknown;
}

/**
 * Writes the parts as one JSON document, indented by two, piece by piece. The first piece contains all parts before the
 * first list.
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

/** Leaves out the player's id, which is the same in all rows. */
function textOf(value: unknown, indent: string): string {
  const text = JSON.stringify(value, (key, inner: unknown) => (key === 'playerId' ? undefined : inner), 2);
  return text.replaceAll('\n', `\n${indent}`);
}
