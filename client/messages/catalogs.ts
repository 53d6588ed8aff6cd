import type { Catalogs } from './language.js';

/** Of the game's page alone: another page that loaded them would have copies. */
export const catalogs: Catalogs = {
  ar: () => import('./locales/ar.po'),
  de: () => import('./locales/de.po'),
  es: () => import('./locales/es.po'),
  fr: () => import('./locales/fr.po'),
  ja: () => import('./locales/ja.po'),
  'pt-BR': () => import('./locales/pt-BR.po'),
};
