import { useSyncExternalStore } from 'react';
import { installOffer } from './installOffer.js';

const subscribers = new Set<() => void>();

function spend(): void {
  // A browser accepts each offer once.
  installOffer.event = null;
  for (const subscriber of subscribers) subscriber();
}

function subscribe(subscriber: () => void): () => void {
  subscribers.add(subscriber);
  window.addEventListener('beforeinstallprompt', subscriber);
  window.addEventListener('appinstalled', spend);
  return () => {
    subscribers.delete(subscriber);
    window.removeEventListener('beforeinstallprompt', subscriber);
    window.removeEventListener('appinstalled', spend);
  };
}

/** Lets the browser ask whether to install the page. Null where the browser does not offer it. */
export function useInstall(): (() => void) | null {
  const event = useSyncExternalStore(subscribe, () => installOffer.event);
  return (
    event &&
    (() => {
      spend();
      void event.prompt().catch(() => undefined);
    })
  );
}
