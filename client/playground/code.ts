import { ADDRESS, requestHeaders, withValidOperationName } from './request.js';
import type { TypedHeaders, TypedRequest } from './request.js';

/** A request, as the texts of all languages say it. */
export interface Description {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: TypedRequest;
  /** Whether the text reads the access token from the environment variable TOKEN. */
  readonly readsToken: boolean;
}

/**
 * Describes the request without the player's token. A typed header `authorization` is in its place.
 * @throws TypeError when a typed name or value cannot be a header
 */
export function describeRequest(typed: TypedRequest, signedIn: boolean, typedHeaders?: TypedHeaders): Description {
  const headers = requestHeaders(null, typedHeaders);
  const { query, operationName, variables } = withValidOperationName(typed);
  return {
    address: new URL(ADDRESS, window.location.href).href,
    headers,
    body: { query, ...(operationName && { operationName }), ...(variables && { variables }) },
    readsToken: signedIn && !('authorization' in headers),
  };
}

/** Puts the token into the description, so that the text needs no environment variable. */
export function withToken(description: Description, token: string): Description {
  const headers = { authorization: `Bearer ${token}`, ...description.headers };
  return { ...description, headers, readsToken: false };
}

/** Formats the request as a command for a POSIX shell. */
export function asCurl({ address, headers, body, readsToken }: Description): string {
  // A shell changes nothing within single quotes. A single quote itself must be outside them.
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const parts = [
    `curl ${quote(address)}`,
    ...(readsToken ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    `--data-raw ${quote(JSON.stringify(body))}`,
  ];
  return `${parts.join(' \\\n  ')}\n`;
}

/** Formats the request as a module for a browser or Node. */
export function asJavaScript({ address, headers, body: { query, ...rest }, readsToken }: Description): string {
  const token = readsToken ? '\n    "authorization": `Bearer ${process.env.TOKEN}`,' : '';
  return `const query = \`${escape(query, /[\\`]|\$(?={)/g)}\`;

const response = await fetch(${JSON.stringify(address)}, {
  method: "POST",
  headers: {${token}${members(headers, 4)}
  },
  body: JSON.stringify({
    query,${members(rest, 4)}
  }),
});
console.log(await response.text());
`;
}

/** Formats the request as a program for Python 3 without further packages. */
export function asPython({ address, headers, body: { query, ...rest }, readsToken }: Description): string {
  const token = readsToken ? '\n        "authorization": "Bearer " + os.environ["TOKEN"],' : '';
  return `import json
${readsToken ? 'import os\n' : ''}import urllib.error
import urllib.request

query = """${escape(query, /[\\"]/g)}"""

request = urllib.request.Request(
    ${JSON.stringify(address)},
    headers={${token}${inPython(members(headers, 8))}
    },
    data=json.dumps({
        "query": query,${inPython(members(rest, 8))}
    }).encode(),
)
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    response = error
print(response.read().decode())
`;
}

/** Escapes the matches. Within a text of several lines, both languages would read a CR as a LF. */
function escape(text: string, pattern: RegExp): string {
  return text.replace(pattern, '\\$&').replaceAll('\r', '\\r');
}

/** The members of an object as lines of JSON, which JavaScript reads too. The strings of JSON have no raw line ends. */
function members(object: object, indent: number): string {
  return Object.entries(object)
    .map(([name, value]) => `\n${JSON.stringify(name)}: ${JSON.stringify(value, null, indent / 2)},`)
    .join('')
    .replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** Replaces the words of JSON that Python writes in another way, outside of strings. */
function inPython(json: string): string {
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
  return json.replace(/"(?:\\.|[^"\\])*"|true|false|null/g, (found) => words[found] ?? found);
}
