/** Style sheets that did not arrive. */
const lost: HTMLLinkElement[] = [];

// The event of a resource does not bubble.
addEventListener(
  'error',
  ({ target }) => void (target instanceof HTMLLinkElement && target.rel === 'stylesheet' && lost.push(target)),
  true,
);

/** Before a part is loaded: Vite requests a style sheet once, and after a failure it would load the part without. */
export const lostStyles = () => Promise.all(lost.splice(0).map(loadAgain));

function loadAgain(link: HTMLLinkElement): Promise<unknown> {
  const next = link.cloneNode() as HTMLLinkElement;
  link.replaceWith(next);
  return new Promise((resolve, reject) => Object.assign(next, { onload: resolve, onerror: reject }));
}
