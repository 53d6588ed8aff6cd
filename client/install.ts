import { useSyncExternalStore } from 'react';
import { Listeners } from './ui/listen.js';

/** From the next visit on, the page opens without a network. A failure affects nothing else. */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  } catch (problem) {
    console.warn(problem instanceof Error ? problem.message : problem);
  }
}

/** The browser's offer to install the page, which TypeScript does not know. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

let offer: InstallEvent | null = null;
const subscribers = new Listeners();

function setOffer(event: InstallEvent | null): void {
  offer = event;
  subscribers.tell();
}

/** Keeps the offer for the account dialog. Some browsers would otherwise show it by themselves. */
export function keepInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    setOffer(event as InstallEvent);
  });
  window.addEventListener('appinstalled', () => setOffer(null));
}

/** Lets the browser ask whether to install the page. Null where the browser does not offer it. */
export function useInstall(): (() => void) | null {
  const event = useSyncExternalStore(subscribers.add, () => offer);
  return (
    event &&
    (() => {
      // A browser accepts each offer once.
      setOffer(null);
      void event.prompt().catch(() => undefined);
    })
  );
}
