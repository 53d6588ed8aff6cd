// Chooses the language before the first paint, and requests its sentences beside the page's code. vite.config.ts inlines it with
// the address of each language's file, so it repeats the key of LanguageChoice.tsx and has no imports.
/** @type {Record<string, string>} */
const files = JSON.parse('FILES');
let chosen = null;
try {
  chosen = localStorage.getItem('tic-tac-toe.language');
} catch {
  // With blocked storage, the browser's languages apply.
}
for (const wanted of [chosen, ...navigator.languages]) {
  // "pt-PT" and "pt" get "pt-BR", and "de-AT" gets "de".
  const [start] = (wanted ?? '').split('-');
  if (start === 'en') break;
  const language = Object.keys(files).find((name) => name.split('-')[0] === start);
  if (!language) continue;
  const root = document.documentElement;
  root.lang = language;
  root.dir = language === 'ar' ? 'rtl' : 'ltr';
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = /** @type {string} */ (files[language]);
  document.head.append(link);
  break;
}
