import { i18n, type Messages } from '@lingui/core';

/** In their own words, for the choice. */
export const LANGUAGES = {
  en: 'English',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  fr: 'Français',
  de: 'Deutsch',
  ja: '日本語',
  ar: 'العربية',
} as const;

/** For Intl, where it is more than the language. */
const LOCALES: Readonly<Record<string, string>> = { en: 'en-GB', ar: 'ar-u-nu-latn' };

/** What loads the sentences of each language but English, which stands in the code. */
export type Catalogs = Readonly<Record<string, () => Promise<{ messages: Messages }>>>;

export let language = 'en';
export let locale = 'en-GB';

function speakIn(next: string, messages: Messages): void {
  language = next;
  locale = LOCALES[next] ?? next;
  i18n.loadAndActivate({ locale: next, locales: locale, messages });
}

speakIn('en', {});

/** The sentence with a name in the place of the tags. Lingui would decode "\u202e" in a value of its own. */
export const named = (name: string, sentence: string): string => sentence.replace(/<0>.*<\/0>/, () => name);

/**
 * The language that `firstLanguage.js` has chosen before the first paint. It lasts as long as the page. Where its file cannot be
 * loaded, the page is English.
 * @returns whether the language is another one now
 */
export async function loadLanguage(catalogs: Catalogs): Promise<boolean> {
  const root = document.documentElement;
  try {
    const load = catalogs[root.lang];
    if (!load) return false;
    speakIn(root.lang, (await load()).messages);
    return true;
  } catch {
    Object.assign(root, { lang: 'en-GB', dir: 'ltr' });
    return false;
  }
}
