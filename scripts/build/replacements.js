/** Changes that the bundle needs in the code of packages. */

/**
 * @typedef {{ pattern: RegExp, by: string, because: string }} Replacement
 * @type {Replacement[]}
 */
export const REPLACEMENTS = [
  {
    pattern: /\bmodule\.require\b/g,
    by: 'require',
    because: 'A bundled module has no `module.require`, and Apollo would compute its hashes in JavaScript.',
  },
  {
    pattern: /^const require = createRequire\(import\.meta\.url\);$/gm,
    by: '',
    because: 'With a `require` of its own, `@nestjs/typeorm` would load TypeORM a second time, from node_modules.',
  },
];

/**
 * Replaces text in one file after the other, and counts. At the end, `expectAllUsed` throws an error if a package has changed
 * so that a replacement found nothing: the bundle would then work worse without a message.
 * @param {readonly Replacement[]} replacements
 */
export function replacer(replacements) {
  /** @type {Set<Replacement>} */
  const unused = new Set(replacements);
  return {
    replaceIn(/** @type {string} */ code) {
      return replacements.reduce((text, replacement) => {
        const next = text.replaceAll(replacement.pattern, replacement.by);
        if (next !== text) unused.delete(replacement);
        return next;
      }, code);
    },
    expectAllUsed() {
      for (const { pattern, because } of unused) {
        throw new Error(
          `Nothing in the bundle matches ${pattern} any more. ${because} If the packages still need this change, adapt the` +
            ' pattern to their code in scripts/build/replacements.js, else delete it there.',
        );
      }
    },
  };
}
