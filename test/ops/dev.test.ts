import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test("`npm run dev` serves the page on a fixed port and forwards to the server's port", () => {
  const config = `
    import { resolveConfig } from 'vite';
    const { server } = await resolveConfig({}, 'serve');
    const { target, xfwd = false } = server.proxy['/graphql'];
    const { bypass } = server.proxy['/auth'];
    const served = ['/auth/session.ts?t=1', '/auth/callback?code=x.ts', '/auth/google?code_challenge=x.ts'].map((url) => bypass({ url }) ?? 'passed on');
    console.log(JSON.stringify({ port: server.port, strictPort: server.strictPort, to: target, xfwd, served }));
  `;
  const env = { ...process.env, NODE_OPTIONS: '', NODE_ENV: '', PORT: '4321' };
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', config], { encoding: 'utf8', env });
  expect(JSON.parse(said)).toEqual({
    port: 5173,
    strictPort: true,
    to: 'http://localhost:4321',
    // The local provider rejects requests with forwarding headers.
    xfwd: false,
    // Some folders of the page have the names of server paths.
    served: ['/auth/session.ts?t=1', '/index.html', 'passed on'],
  });
});
