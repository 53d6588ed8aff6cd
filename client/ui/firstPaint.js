// Applies the stored theme before the first paint. vite.config.ts inlines it into every page, so it cannot import
// theme.tsx and repeats its key. The content security policy allows it by its hash.
try {
  const theme = localStorage.getItem('tic-tac-toe.theme');
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
    const bar = /** @type {Element} */ (document.querySelector(`meta[media*=${theme}]`)?.cloneNode());
    bar.setAttribute('media', 'all');
    document.head.prepend(bar);
  }
} catch {
  // With blocked storage, the system's theme applies. The other pages have no theme colours.
}
