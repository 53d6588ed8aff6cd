import { useLingui } from '@lingui/react/macro';
import { useSyncExternalStore } from 'react';
import { activate, LANGUAGES } from '../messages/language.js';
import { listen, Listeners } from './listen.js';
import { stored } from './stored.js';

// `firstLanguage.js` repeats the key.
const KEY = 'tic-tac-toe.language';

/** The language whose file is on its way or, with `failed`, did not come. */
let awaited: { readonly language: string; readonly failed?: boolean } | null = null;
const changes = new Listeners();

function wait(next: typeof awaited): void {
  awaited = next;
  changes.tell();
}

/** @returns whether the page speaks it now, and no other one was chosen meanwhile */
async function speak(language: string): Promise<boolean> {
  wait({ language });
  const isSpoken = await activate(language).catch(() => wait({ language, failed: true }));
  if (isSpoken) wait(null);
  return isSpoken ?? false;
}

/** For the other tabs, and for the next visit. */
const choose = async (language: string) => void ((await speak(language)) && stored.set(KEY, language));

// Another tab may have chosen one. What is stored and not what is told: two tabs then agree on the last choice.
listen(window, 'storage', ({ key }) => {
  const language = key === KEY && stored.get(KEY);
  if (language && Object.hasOwn(LANGUAGES, language)) void speak(language);
});

export function LanguageChoice() {
  const { t, i18n } = useLingui();
  const change = useSyncExternalStore(changes.add, () => awaited);
  return (
    <>
      <select
        className="language"
        aria-label={t`Language`}
        value={change && !change.failed ? change.language : i18n.locale}
        onChange={({ target }) => void choose(target.value)}
      >
        {Object.entries(LANGUAGES).map(([name, words]) => (
          <option key={name} value={name} lang={name}>
            {words}
          </option>
        ))}
      </select>
      {change?.failed && <p role="alert">{t`The language could not be loaded. Please try again.`}</p>}
    </>
  );
}
