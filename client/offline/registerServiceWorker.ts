/** From the next visit on, the page opens without a network. A failure affects nothing else. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch((problem: unknown) => {
    console.warn(problem instanceof Error ? problem.message : problem);
  });
}
