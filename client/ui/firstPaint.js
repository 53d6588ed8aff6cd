// Stands in every page before anything that is fetched (see vite.config.ts), so that a remembered theme never flashes.
// The content security policy allows it by its hash. See theme.ts for the other half.
try {
  const theme = localStorage.getItem('tic-tac-toe.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // No storage, no remembered theme: the system's is used.
}
