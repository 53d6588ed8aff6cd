/**
 * Vite plugins for the size of the page's messages, after Lingui's own.
 * English stands in the code, so it has no catalog: its messages are compiled where they stand. Otherwise a page would wait for a
 * file of its language in English too.
 * Lingui's ids are six characters of a hash, which do not compress: together 1.5 kB. Here they are places in the list of all ids.
 */
import { readFileSync } from 'node:fs';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';

const MESSAGE = /(?<=\bmessage: )"(?:[^"\\]|\\.)*"/g;
const ID = /(?<=\bid: ")([\w-]{6})(?=")/g;
/** In JSON within a string of JavaScript. */
const ID_IN_CATALOG = /(?<=[{,]\\")([\w-]{6})(?=\\":\[)/g;

/**
 * @param {import('@lingui/conf').CatalogFormatter} format
 * @param {string} catalog one of them: all have the same ids
 * @returns {import('vite').Plugin[]}
 */
export function smallMessages(format, catalog) {
  /** @type {Map<string, string>} */
  let places = new Map();
  // Of a message that no catalog has yet, the id stays.
  const inShort = (/** @type {string} */ id) => places.get(id) ?? id;
  return [
    {
      name: 'small-messages',
      enforce: 'pre',
      buildStart: async () => {
        const all = await format.parse(readFileSync(catalog, 'utf8'), {
          locale: 'de',
          sourceLocale: 'en',
          filename: catalog,
        });
        places = new Map(
          Object.keys(all)
            .sort()
            .map((id, place) => [id, place.toString(36)]),
        );
      },
      transform: {
        filter: { id: /client\/messages\/\w+\.ts$/ },
        handler: (code) =>
          code
            .replace(ID, inShort)
            .replace(MESSAGE, (message) => JSON.stringify(compileMessageOrThrow(JSON.parse(message)))),
      },
    },
    {
      name: 'small-catalogs',
      transform: { filter: { id: /\.po$/ }, handler: (code) => code.replace(ID_IN_CATALOG, inShort) },
    },
  ];
}
