/** The sections of CHANGELOG.md: `## Unreleased`, and `## 1.2.3 - 2026-11-24` for each release. */

const UNRELEASED = 'Unreleased';

/** What changed since the last release. Headings alone are nothing. */
export const unreleasedIn = (/** @type {string} */ text) => bodyOf(text, (title) => title === UNRELEASED);

/** The notes of a release. @param {string} text @param {string} version */
export const notesOf = (text, version) => bodyOf(text, (title) => title.startsWith(`${version} - `));

/** Dates a release. It gets what is unreleased, unless it has a section already. @param {string} text @param {string} version @param {string} date */
export const withRelease = (text, version, date) =>
  notesOf(text, version)
    ? text.replace(/^## (\S+) - .*/gm, (title, found) => (found === version ? `## ${version} - ${date}` : title))
    : text.replace(`\n## ${UNRELEASED}\n`, `\n## ${UNRELEASED}\n\n## ${version} - ${date}\n`);

/** @param {string} text @param {(title: string) => boolean} isWanted */
function bodyOf(text, isWanted) {
  const section = text
    .split(/^## /m)
    .slice(1)
    .find((part) => isWanted(part.slice(0, part.indexOf('\n')).trim()));
  const body = section?.slice(section.indexOf('\n')).trim() ?? '';
  return /^(?!#).*\S/m.test(body) ? body : '';
}
