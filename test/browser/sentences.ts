import { readdirSync, readFileSync } from 'node:fs';
import { setupI18n } from '@lingui/core';
import catalogs from '../../lingui.config.js';

const FOLDER = new URL('../../client/messages/locales/', import.meta.url);
/** Without English, which has no catalog. */
export const LANGUAGES = readdirSync(FOLDER).flatMap((file) => /^(.+)\.po$/.exec(file)?.[1] ?? []);

/** Each sentence in English and in the language. */
async function catalogOf(language: string): Promise<[english: string, words: string][]> {
  const file = new URL(`${language}.po`, FOLDER);
  const context = { locale: language, sourceLocale: 'en', filename: file.pathname };
  const entries = Object.values(await catalogs.format.parse(readFileSync(file, 'utf8'), context));
  return entries.map(({ message = '', translation = '' }) => [message, translation]);
}

/** Each sentence in English and in the language, without those that are the same. */
export async function sentencesOf(language: string): Promise<Map<string, string>> {
  return new Map((await catalogOf(language)).filter(([english, words]) => english !== words));
}

/** Says an English sentence of the page in the language. */
export async function speakerOf(language: string) {
  const words = new Map(LANGUAGES.includes(language) ? await catalogOf(language) : []);
  const i18n = setupI18n({ locale: language, messages: { [language]: {} } });
  return (english: string, values = {}): string => i18n._('', values, { message: words.get(english) ?? english });
}
