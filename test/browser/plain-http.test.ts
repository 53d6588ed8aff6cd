import { expect, test } from '@jest/globals';
import { launchChromium } from '../support/chromium.js';
import { aSite } from '../support/page.js';

const site = aSite({});

test.each(['http://192.168.1.5:3000', 'http://play.home.arpa', 'http://127.0.0.1.example.org:8080'])(
  'at %s the server warns that nobody can sign in, and the page asks for https and plays the trial game',
  async (origin) => {
    await site.server.restart({ PUBLIC_ORIGIN: origin });
    expect(site.server.log()).toContain(`PUBLIC_ORIGIN is ${origin}: nobody can sign in`);
    const rule = `MAP ${new URL(origin).host} ${new URL(site.origin).host}`;
    const browser = await launchChromium({ args: [`--host-resolver-rules=${rule}`] });
    const page = await (await site.newContext({ browser })).newPage();
    site.expectProblem(
      /^Request to http:/,
      /has been ignored, because the URL's origin was untrustworthy|Origin-Agent-Cluster/,
    );
    await page.goto(origin);
    await page.getByRole('alert').getByText('Open this page over https.').waitFor();
    expect(await page.getByRole('button').allTextContents()).toHaveLength(1);
    await page.getByRole('button', { name: 'Try a game: you are X' }).locator('.square').nth(2).click();
    await page.getByText('Your turn (X)', { exact: true }).waitFor();
    await page.close();
    await browser.close();
  },
);

test.each(['http://127.0.0.1', 'http://[::1]:3000', 'http://play.localhost:3000', 'https://play.example.org'])(
  'at %s the server does not warn',
  async (origin) => {
    const before = site.server.log().length;
    await site.server.restart({ PUBLIC_ORIGIN: origin });
    expect(site.server.log().slice(before)).not.toContain('nobody can sign in');
  },
);
