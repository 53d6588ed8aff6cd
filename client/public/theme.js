// Runs before the first paint, so a remembered theme never flashes. A file of its own because the page's content
// security policy allows no inline script; see ui/theme.ts for the other half.
try {
  const theme = localStorage.getItem('tic-tac-toe.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // No storage, no remembered theme: the system's is used.
}
