import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type Axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expectFits } from './inView.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Not among the usual ones. */
const MORE = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } };
/** A report of what passes takes half of the time. */
const QUICK = { reporter: 'no-passes', rules: MORE } as const;

/**
 * Applies every rule of axe, best practices and WCAG 2.2 included. With `contrast`, it looks at the dark theme too, and the
 * game meets the AAA contrast. The screen fits on a phone and on a computer. What is behind a dialog is a screen of its own.
 */
export async function expectNoViolations(
  page: Page,
  { but = [] as string[], inView = [] as Locator[], contrast = true } = {},
): Promise<void> {
  await expectFits(page, ...inView);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  for (const colorScheme of contrast ? (['light', 'dark'] as const) : (['light'] as const)) {
    await page.emulateMedia({ colorScheme });
    // Parts that still fade in have another contrast.
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
    // Only the contrast differs between the schemes.
    const only = colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] };
    const rules = { ...QUICK, ...only, rules: { ...QUICK.rules, 'color-contrast': { enabled: contrast } } };
    const context = { exclude: but };
    const found = await page.evaluate(
      async ({ context, rules, contrast }) => {
        const { axe } = window as unknown as { axe: typeof Axe };
        const dialogs = document.querySelectorAll('dialog[open]');
        const game = contrast && dialogs.length === 0 && document.querySelector('.game');
        const strict = game ? [await axe.run(game, { ...rules, runOnly: ['color-contrast-enhanced'] })] : [];
        const shown = dialogs.length > 0 ? { ...context, include: dialogs } : context;
        return [await axe.run(shown, rules), ...strict].flatMap(({ violations }) => violations);
      },
      { context, rules, contrast },
    );
    const said = found.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.failureSummary?.replaceAll('\n', ' ')})`),
    );
    expect({ colorScheme, said }).toEqual({ colorScheme, said: [] });
  }
}
