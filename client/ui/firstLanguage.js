// Chooses the language before the first paint, and requests its sentences beside the page's code. vite.config.ts inlines it with
// the address of each language's file and the words of the loading screen, so it repeats the key of LanguageChoice.tsx and has no
// imports.
/** @type {Record<string, [file: string, ...words: string[]]>} */
const languages = JSON.parse('LANGUAGES');
let chosen = null;
try {
  chosen = localStorage.getItem('tic-tac-toe.language');
} catch {
  // With blocked storage, the browser's languages apply.
}
for (const wanted of [chosen, ...navigator.languages]) {
  // "pt-PT", "pt_BR" and "pt" get "pt-BR", and "de-AT" gets "de".
  const [start] = (wanted ?? '').split(/[^a-z]/i);
  if (start === 'en') break;
  const language = Object.keys(languages).find((name) => name.split('-')[0] === start);
  if (!language) continue;
  const [file, ...words] = /** @type {[string, ...string[]]} */ (languages[language]);
  const root = document.documentElement;
  root.lang = language;
  root.dir = language === 'ar' ? 'rtl' : 'ltr';
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = file;
  document.head.append(link);
  // When the whole page is here, before its code runs.
  document.onreadystatechange = () => {
    const screen = document.querySelector('.first-screen');
    screen?.querySelectorAll('h1, p').forEach((part, at) => (part.textContent = words[at] ?? ''));
    screen?.classList.remove('first-screen');
  };
  break;
}
