/** The browser's offer to install the page, which TypeScript does not know. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

/** Null when the browser offers nothing, and once the offer has been used. */
export const installOffer: { event: InstallEvent | null } = { event: null };

/** Keeps the offer for the account dialog. Some browsers would otherwise show it by themselves. */
export function keepInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installOffer.event = event as InstallEvent;
  });
}
