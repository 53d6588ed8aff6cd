const PROBE = 'tic-tac-toe.probe';

/** Whether this browser lets the page keep what a sign-in needs: a secret in the tab, and cookies. */
export function isBlocked(): boolean {
  try {
    sessionStorage.setItem(PROBE, '');
    sessionStorage.removeItem(PROBE);
    return !navigator.cookieEnabled;
  } catch {
    return true;
  }
}
