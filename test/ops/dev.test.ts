import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test('`npm run dev` passes on to the server wherever that listens, from an address that does not change', () => {
  const config = `
    import { resolveConfig } from 'vite';
    const { server } = await resolveConfig({}, 'serve');
    console.log(JSON.stringify({ port: server.port, strictPort: server.strictPort, to: server.proxy['/graphql'].target }));
  `;
  const env = { ...process.env, NODE_OPTIONS: '', NODE_ENV: '', PORT: '4321' };
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', config], { encoding: 'utf8', env });
  expect(JSON.parse(said)).toEqual({ port: 5173, strictPort: true, to: 'http://localhost:4321' });
});
