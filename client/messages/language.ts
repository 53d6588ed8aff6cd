import { i18n, type Messages } from '@lingui/core';
import { t } from '@lingui/core/macro';

/** In their own words, for the choice. */
export const LANGUAGES = {
  'en-GB': 'English',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  fr: 'Français',
  de: 'Deutsch',
  ja: '日本語',
  ar: 'العربية',
} as const;

/** English stands in the code. */
const CATALOGS: Readonly<Record<string, () => Promise<{ messages: Messages }>>> = {
  ar: () => import('./locales/ar.po'),
  de: () => import('./locales/de.po'),
  es: () => import('./locales/es.po'),
  fr: () => import('./locales/fr.po'),
  ja: () => import('./locales/ja.po'),
  'pt-BR': () => import('./locales/pt-BR.po'),
};

/** The last one that was asked for. */
let wanted: string;

/**
 * Loads the sentences of a language, and shows them in place of those on the screen. Rejects when their file does not come: the
 * page then keeps its language.
 * @returns false when another language was asked for meanwhile
 */
export async function activate(locale: string): Promise<boolean> {
  wanted = locale;
  try {
    const { messages } = (await CATALOGS[locale]?.()) ?? { messages: {} };
    if (wanted !== locale) return false;
    i18n.loadAndActivate({ locale, locales: locale === 'ar' ? 'ar-u-nu-latn' : locale, messages });
  } catch (problem) {
    if (wanted !== locale) return false;
    throw problem;
  }
  Object.assign(document.documentElement, { lang: locale, dir: locale === 'ar' ? 'rtl' : 'ltr' });
  document.title = t`Tic-Tac-Toe`;
  return true;
}

/** The language that `firstLanguage.js` has chosen before the first paint. Where its file does not come in time, the page is English. */
export function activateFirst(limit: number): Promise<boolean> {
  const late = new Promise<never>((_, reject) => setTimeout(reject, limit));
  return Promise.race([activate(document.documentElement.lang), late]).catch(() => activate('en-GB'));
}
