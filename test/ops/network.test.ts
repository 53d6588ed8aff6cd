import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { logged, type Server, startServer } from '../support/server.js';
import { tttWith } from '../support/ttt.js';
import { behind, Visitor } from '../support/visitor.js';

const OLD_SECRET = 'the secret that the servers had before';
const NEW_SECRET = 'the secret that the servers have since then';
const QUOTA = 5;

let server: Server;
beforeAll(async () => {
  server = await startServer({
    env: { REQUESTS_PER_MINUTE: String(QUOTA), TRUST_PROXY: '1', AUTH_SECRET: OLD_SECRET },
  });
});
afterAll(() => server.remove());

/** A line of the access log of a proxy, in its usual format. */
const PROXIES = {
  haproxy: (address: string) =>
    `Feb  6 12:14:14 host haproxy[14389]: ${address}:33318 [06/Feb/2027:12:14:14.655] players servers/one 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "POST /graphql HTTP/1.1"`,
  nginx: (address: string) =>
    `${address} - - [06/Feb/2027:12:14:14 +0000] "POST /graphql HTTP/1.1" 429 162 "-" "10.0.0.1 curl/7.88.1"`,
  caddy: (address: string) =>
    `{"level":"info","ts":1801915454.6,"msg":"handled request","request":{"remote_ip":"${address}","remote_port":"33318","client_ip":"${address}","uri":"/graphql"},"status":429}`,
};

async function refusedNetwork(from: string): Promise<string> {
  const visitor = behind(new Visitor(server), from);
  for (let asked = 0; asked < QUOTA; asked++) await visitor.api('/api/leaderboard');
  const refused = await visitor.api('/api/leaderboard');
  const id = refused.headers.get('x-request-id')!;
  await logged(server, id);
  const line = server
    .log()
    .split('\n')
    .find((line) => line.includes(id))!;
  expect(line).toContain('"too_many_requests"');
  return (JSON.parse(line) as { network: string }).network;
}

/** The real command, with the log as its standard input. */
async function find(words: readonly string[], log: Iterable<string>, secret = OLD_SECRET) {
  const command = spawn(process.execPath, ['dist/bundle/ttt.js', 'network', ...words], {
    env: { PATH: process.env.PATH, AUTH_SECRET: secret },
  });
  let said = '';
  command.stdout.on('data', (text) => (said += text));
  command.stderr.on('data', (text) => (said += text));
  for (const line of log) if (!command.stdin.write(`${line}\n`)) await once(command.stdin, 'drain');
  command.stdin.end();
  const [code] = (await once(command, 'close')) as [number];
  return { code, said };
}

/** Some are one digit longer than the address of a flood. */
const OTHERS = ['198.51.100.71', '198.51.100.81', '198.51.100.91', '2001:db8:1:3::7', '::1', '10.0.0.1'];

test.each(Object.entries(PROXIES))(
  'the hash of a flood in the log leads to its addresses in an access log of %s',
  async (proxy, line) => {
    const at = Object.keys(PROXIES).indexOf(proxy);
    const flood = [`198.51.100.${7 + at}`, `2001:db8:${at}:2:aaaa::99`];
    const hashes = [await refusedNetwork(flood[0]!), await refusedNetwork(flood[1]!)];
    const log = [
      ...OTHERS,
      flood[0]!,
      flood[1]!,
      // Another host of the same network, with an address that a port makes ambiguous.
      `2001:db8:${at}:2::1`,
      flood[0]!,
      ...OTHERS,
      flood[0]!,
      `2001:db8:${at}:2:a:b:c:d`,
      flood[1]!,
    ].map(line);

    expect(await find(hashes, log)).toEqual({
      code: 0,
      said: `lines  network\n4      2001:db8:${at}:2::/64\n3      198.51.100.${7 + at}\n`,
    });
  },
);

test('a hash from before a replacement of the secret is found with both secrets, and not with the new one', async () => {
  const hash = await refusedNetwork('198.51.100.90');
  const log = ['198.51.100.90', ...OTHERS].map(PROXIES.nginx);

  expect(await find([hash], log, NEW_SECRET)).toEqual({
    code: 1,
    said: 'No line has such an address. After a replacement of the secret: set AUTH_SECRET=new,old\n',
  });
  expect(await find([hash], log, `${NEW_SECRET},${OLD_SECRET}`)).toEqual({
    code: 0,
    said: 'lines  network\n1      198.51.100.90\n',
  });
});

test('a long log of many addresses', async () => {
  const hash = await refusedNetwork('198.51.100.191');
  function* log() {
    for (let line = 0; line < 60_000; line++) {
      yield PROXIES.nginx(line % 1000 ? `10.${line >> 16}.${(line >> 8) & 255}.${line & 255}` : '198.51.100.191');
    }
  }
  expect(await find([hash], log())).toEqual({ code: 0, said: 'lines  network\n60     198.51.100.191\n' });
});

test('an address leads to the hashes of its networks, and one of them may begin with a hyphen', async () => {
  const settings = { AUTH_SECRET: OLD_SECRET };
  const candidates = Array.from({ length: 400 }, (_, at) => `203.0.${at >> 8}.${at & 255}`);
  const { code, said } = await tttWith(settings, 'network', ...candidates, '2001:db8:1:2::3');
  const rows = said.trimEnd().split('\n').slice(1);
  const hashOf = new Map(rows.map((row) => row.split(/\s+/).toReversed() as [string, string]));

  expect([code, [...hashOf.keys()].slice(-3)]).toEqual([
    0,
    ['2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48'],
  ]);
  const [address, hash] = [...hashOf].find(([, hash]) => hash.startsWith('-'))!;
  expect(await find([hash], [PROXIES.nginx(address)])).toEqual({
    code: 0,
    said: `lines  network\n1      ${address}\n`,
  });
  // Under load the log names the widest network alone.
  const wide = hashOf.get('2001:db8:1::/48')!;
  expect((await find([wide], [PROXIES.caddy('2001:db8:1:77::1')])).said).toBe(
    'lines  network\n1      2001:db8:1::/48\n',
  );
});

test.each(['others', '198.51.100', 'A'.repeat(42)])('refuses %s and says what it takes', async (word) => {
  expect(await tttWith({}, 'network', word)).toEqual({
    code: 1,
    said: 'Give addresses, or hashes of 43 characters from the field `network` of the log.\n',
  });
});
