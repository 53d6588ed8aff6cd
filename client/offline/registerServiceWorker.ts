/** Lets the page be opened without a network from the next time on. Where that is impossible, nothing else is lost. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch((problem: unknown) => {
    console.warn(problem instanceof Error ? problem.message : problem);
  });
}
