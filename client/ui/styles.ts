/** Style sheets that did not arrive. */
const lost: HTMLLinkElement[] = [];

// The event of a resource does not bubble.
addEventListener(
  'error',
  ({ target }) => void (target instanceof HTMLLinkElement && target.rel === 'stylesheet' && lost.push(target)),
  true,
);

/** Loads a part. Vite requests a style sheet once, and after a failure it would load the part without. */
export async function loadStyled<Part>(load: () => Promise<Part>): Promise<Part> {
  await Promise.all(lost.splice(0).map(loadAgain));
  return load();
}

function loadAgain(link: HTMLLinkElement): Promise<unknown> {
  const next = link.cloneNode() as HTMLLinkElement;
  link.replaceWith(next);
  return new Promise((resolve, reject) => Object.assign(next, { onload: resolve, onerror: reject }));
}
