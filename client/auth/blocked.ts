const PROBE = 'tic-tac-toe.probe';

/** Whether the browser blocks the session storage or the cookies that a sign-in needs. */
export function isBlocked(): boolean {
  try {
    sessionStorage.setItem(PROBE, '');
    sessionStorage.removeItem(PROBE);
    return !navigator.cookieEnabled;
  } catch {
    return true;
  }
}
