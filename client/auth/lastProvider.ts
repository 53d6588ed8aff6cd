import { PROVIDER } from '../playerStorage.js';

/** The provider of the last sign-in in this browser, which the login screen marks. It stays after a sign-out. */
export const lastProvider = {
  get: (): string | null => {
    try {
      return localStorage.getItem(PROVIDER);
    } catch {
      return null;
    }
  },

  set: (provider: string): void => {
    try {
      localStorage.setItem(PROVIDER, provider);
    } catch {
      // Without room in the storage, the page works as before.
    }
  },
};
