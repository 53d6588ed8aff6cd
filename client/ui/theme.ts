export type Theme = 'light' | 'dark';

// `firstPaint.js` applies the remembered choice before the first paint and does the same.
const KEY = 'tic-tac-toe.theme';

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Remembered on this device, unless it is what the system says anyway: then the page keeps following the system. */
export function chooseTheme(theme: Theme): void {
  delete document.documentElement.dataset.theme;
  document.querySelector('meta[media=all]')?.remove();
  localStorage.removeItem(KEY);
  if (currentTheme() === theme) return;
  document.documentElement.dataset.theme = theme;
  // Of the colours for the browser's bar the first that applies is taken.
  const bar = document.querySelector(`meta[media*=${theme}]`)!.cloneNode() as Element;
  bar.setAttribute('media', 'all');
  document.head.prepend(bar);
  localStorage.setItem(KEY, theme);
}

/** Calls back when the system changes between light and dark. */
export function subscribeToSystemTheme(listener: () => void): () => void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', listener);
  return () => system.removeEventListener('change', listener);
}
