/** The catalogs of the page's sentences: `npm run messages` writes them, and vite.config.ts builds them. */
import { formatter } from '@lingui/format-po';
import { createSwcExtractor } from '@lingui/native-tools';

export default {
  sourceLocale: 'en',
  locales: ['ar', 'de', 'es', 'fr', 'ja', 'pt-BR'],
  catalogs: [{ path: '<rootDir>/client/messages/locales/{locale}', include: ['<rootDir>/client'] }],
  extractors: [createSwcExtractor()],
  format: formatter({ lineNumbers: false }),
};
