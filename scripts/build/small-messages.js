/**
 * Vite plugins for the size of the page's messages, after Lingui's macros and compiler.
 * English stands in the code, so it has no catalog: its messages are compiled where they stand. Otherwise a page would wait for a
 * file of its language in English too.
 * Lingui's ids are six characters of a hash, which do not compress. Here they are places in the list of all messages, and a
 * catalog is that list: the whole game is 1.5 kB smaller, and each language 2.4 kB.
 */
import { readFileSync } from 'node:fs';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';

/** As the macros write them. */
const ID = /(?<=\/\*i18n\*\/ \{\s*id: ")[\w-]{6}(?=")/g;
const MESSAGE = /(?<=\n\s*message: )"(?:[^"\\]|\\.)*"/g;
const CATALOG = /(?<=JSON\.parse\()".*"(?=\))/s;

/**
 * @param {import('@lingui/conf').CatalogFormatter} format
 * @param {string} catalog one of them: all have the same messages
 * @returns {import('vite').Plugin[]}
 */
export function smallMessages(format, catalog) {
  /** @type {string[]} */
  let ids = [];
  const inOrder = (/** @type {Record<string, unknown>} */ messages) => JSON.stringify(ids.map((id) => messages[id]));
  return [
    {
      name: 'small-messages',
      enforce: 'pre',
      buildStart: async () => {
        const context = { locale: 'de', sourceLocale: 'en', filename: catalog };
        ids = Object.keys(await format.parse(readFileSync(catalog, 'utf8'), context));
      },
      transform: {
        filter: { id: /client\/.+\.tsx?$/, code: '/*i18n*/' },
        handler: (code) =>
          code
            // A message that no catalog has yet keeps its id.
            .replace(ID, (id) => (ids.includes(id) ? String(ids.indexOf(id)) : id))
            .replace(MESSAGE, (message) => JSON.stringify(compileMessageOrThrow(JSON.parse(message)))),
      },
    },
    {
      name: 'small-catalogs',
      transform: {
        filter: { id: /\.po$/ },
        handler: (code) => code.replace(CATALOG, (text) => JSON.stringify(inOrder(JSON.parse(JSON.parse(text))))),
      },
    },
  ];
}
