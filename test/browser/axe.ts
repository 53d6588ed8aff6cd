import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type Axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expectFits } from './inView.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Not among the usual ones. The game meets the AAA contrast. */
const MORE = [
  { id: 'target-size', enabled: true },
  { id: 'label-content-name-mismatch', enabled: true },
  { id: 'color-contrast-enhanced', enabled: true, selector: '.game *' },
];
/** Only these differ between the light and the dark theme. */
const CONTRAST = ['color-contrast', 'color-contrast-enhanced'];

/**
 * Applies every rule of axe, best practices and WCAG 2.2 included, in the light theme, and those of the contrast in the dark one
 * too. The screen fits on a phone and on a computer. What is behind a dialog is a screen of its own. With `within`, only this
 * part of the screen has changed since the last look.
 */
export async function expectNoViolations(
  page: Page,
  { but = [] as string[], inView = [] as Locator[], within = 'html' } = {},
): Promise<void> {
  await expectFits(page, ...inView);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const said = await violationsOf(page, { but, within, only: colorScheme === 'light' ? undefined : CONTRAST });
    expect({ colorScheme, said }).toEqual({ colorScheme, said: [] });
  }
}

/** What the rules find on the screen as it is: all of them, or only some. */
export async function violationsOf(
  page: Page,
  { but = [], within = 'html', only }: { but?: string[]; within?: string; only?: string[] | undefined },
): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window')))
    await page.evaluate(`${AXE};axe.configure(${JSON.stringify({ rules: MORE })})`);
  const found = await page.evaluate(
    async ({ but, within, only }) => {
      const isMoving = () => document.getAnimations().some(({ playState }) => playState === 'running');
      // Parts that still fade in have another contrast.
      while (isMoving()) await new Promise(requestAnimationFrame);
      const { axe } = window as unknown as { axe: typeof Axe };
      const dialogs = document.querySelectorAll('dialog[open]');
      const shown = { include: dialogs.length > 0 ? dialogs : [within], exclude: but };
      // The page has no frames and no media, and a report of what passes takes half of the time.
      const quick = { reporter: 'no-passes', iframes: false, preload: false } as const;
      return (await axe.run(shown, { ...quick, ...(only && { runOnly: only }) })).violations;
    },
    { but, within, only },
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.failureSummary?.replaceAll('\n', ' ')})`),
  );
}
