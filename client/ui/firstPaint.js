// Stands in every page itself (see vite.config.ts), so that a remembered theme never flashes. The content security policy
// allows it by its hash. See theme.ts for the other half.
try {
  const theme = localStorage.getItem('tic-tac-toe.theme');
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
    const bar = /** @type {Element} */ (document.querySelector(`meta[media*=${theme}]`)?.cloneNode());
    bar.setAttribute('media', 'all');
    document.head.prepend(bar);
  }
} catch {
  // No storage, no remembered theme: the system's is used. And a page may have no colours for the bar.
}
