/** The operations of the page, in the text that it sends. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/machine/run.js';

const MY_STANDING = 'query MyStanding { myStanding { rank players __typename } }';

const HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

/** @type {readonly string[] | undefined} */
let texts;

/** Read after the build. @param {string} name of an operation of the page */
export function textOf(name) {
  texts ??= /** @type {string[]} */ (JSON.parse(readFileSync(join(ROOT, 'dist/client/.vite/operations.json'), 'utf8')));
  const text = texts.find((operation) => new RegExp(`^\\w+ ${name}\\b`).test(operation));
  if (text === undefined) throw new Error(`The page sends no operation ${name}`);
  return text;
}

export const bearer = (/** @type {string} */ token) => ({ authorization: `Bearer ${token}` });

/**
 * @param {string} operationName @param {object} variables
 * @param {{ token?: string, query?: string }} [more]   without `query`, it is an operation of the page
 * @returns {import('./load.js').Request}
 */
function operation(operationName, variables, { token, query = textOf(operationName) } = {}) {
  return {
    method: 'POST',
    path: '/graphql',
    headers: { ...HEADERS, ...(token ? bearer(token) : {}) },
    body: JSON.stringify({ operationName, variables, query }),
  };
}

export const finishGame = (
  /** @type {string} */ token,
  /** @type {string} */ ticket,
  /** @type {number[]} */ squares,
) => operation('FinishGame', { ticket, squares }, { token });
export const leaderboard = () => operation('Leaderboard', { limit: 10 });
export const myStats = (/** @type {string} */ token) => operation('MyStats', {}, { token });
export const myStanding = (/** @type {string} */ token) => operation('MyStanding', {}, { token, query: MY_STANDING });
