import { test } from '@jest/globals';
import { aSite } from '../support/page.js';
import { aSignedInVisitor } from '../support/visitor.js';
const site = aSite();
test('pictures', async () => {
  const { page } = await site.openGame({ as: await aSignedInVisitor(site.server, { name: 'Ada Lovelace', email: 'a@b.org' }) });
  await page.getByRole('grid', { name: 'Board' }).waitFor();
  await page.waitForTimeout(1500);
  for (const [width, height] of [[320, 640], [390, 844], [1280, 800], [1366, 650], [768, 1024], [1024, 600], [1920, 1080], [2560,1440]] as const) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(300);
    await page.screenshot({ path: `/tmp/shots/${width}x${height}.png`, animations: 'disabled' });
  }
});
