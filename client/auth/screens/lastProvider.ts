import { PROVIDER } from '../../playerStorage.js';

/** The provider of the last sign-in in this browser, which the login screen marks. The game stores it (`useLinkHint.ts`). */
export function lastProvider(): string | null {
  try {
    return localStorage.getItem(PROVIDER);
  } catch {
    return null;
  }
}
