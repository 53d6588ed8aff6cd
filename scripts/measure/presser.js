/** Presses the buttons and keys of a page, and collects what each press cost until its paint. */

/** The time between press and release. */
const HELD_MS = 80;

/**
 * @typedef {import('playwright-core').Locator} Locator
 * @typedef {{ duration: number, delay: number, work: number, causes: string[] }} Press see page/presses.js
 * @typedef {ReturnType<typeof presserOf>} Presser
 */

export function presserOf(/** @type {import('playwright-core').Page} */ page) {
  /** @type {Map<string, Press[]>} */
  const seen = new Map();
  const dialog = page.getByRole('dialog');

  /** Clicks by coordinates, because Playwright's own click runs code in the page, which would distort the measurement. */
  async function point(/** @type {string} */ kind, /** @type {Locator} */ element) {
    await element.scrollIntoViewIfNeeded();
    const box = await element.boundingBox();
    if (!box) throw new Error('The element is not visible.');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await time(kind, () => page.mouse.click(x, y, { delay: HELD_MS }));
  }

  function key(/** @type {string} */ kind, /** @type {string} */ name) {
    return time(kind, () => page.keyboard.press(name, { delay: HELD_MS }));
  }

  async function close(/** @type {string} */ name) {
    await point(`close ${name}`, dialog.getByRole('button', { name: 'Close' }));
    await dialog.waitFor({ state: 'detached' });
  }

  async function leave(/** @type {string} */ name) {
    await key(`Escape from ${name}`, 'Escape');
    await dialog.waitFor({ state: 'detached' });
  }

  async function time(/** @type {string} */ kind, /** @type {() => Promise<void>} */ interact) {
    /** @type {[Press, void]} */
    const [press] = await Promise.all([page.evaluate('presses.next()'), interact()]);
    seen.set(kind, [...(seen.get(kind) ?? []), press]);
  }

  const button = (/** @type {string} */ name) => page.getByRole('button', { name });
  return { page, dialog, button, point, key, close, leave, seen };
}
