/**
 * Writes an object as a JSON document, indented by two, piece by piece. A property may be a list in pages. The first piece
 * contains all properties before the first such list.
 */
export async function* documentText(content: object): AsyncGenerator<string> {
  let text = '{';
  for (const [index, [name, value]] of Object.entries(content).entries()) {
    text += `${index > 0 ? ',' : ''}\n  ${JSON.stringify(name)}: `;
    if (isPaged(value)) {
      yield text;
      yield* listText(value);
      text = '';
    } else {
      text += textOf(value, '  ');
    }
  }
  yield `${text}\n}`;
}

function isPaged(value: unknown): value is AsyncIterable<readonly object[]> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
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
