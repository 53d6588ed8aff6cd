/**
 * Renders the icons of the installed app from client/public/favicon.svg. Run `node scripts/build/icons.js` after changing that file.
 * Systems crop a maskable icon, so its background fills the whole image and its marks stay in the middle.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from '../machine/browser.js';
import { ROOT } from '../machine/run.js';

const at = (/** @type {string} */ name) => join(ROOT, 'client/public', name);
const mark = readFileSync(at('favicon.svg'), 'utf8');
const fill = /<rect[^>]*fill="([^"]+)"/.exec(mark)?.[1];
const fullBleed = mark.replace(/rx="[^"]*"/, '').replace('viewBox="0 0 64 64"', 'viewBox="-6 -6 76 76"');

const browser = await chromium.launch({ executablePath: findBrowser() ?? undefined, args: ['--no-sandbox'] });
for (const { name, size, svg, background = 'transparent' } of [
  { name: 'icon-192.png', size: 192, svg: mark },
  { name: 'icon-512.png', size: 512, svg: mark },
  { name: 'icon-maskable-512.png', size: 512, svg: fullBleed, background: fill },
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0;background:${background}}svg{display:block;width:100vw}</style>${svg}`);
  writeFileSync(at(name), await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();
