import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tttWith } from '../support/ttt.js';

const FOLDER = 'ops/systemd';
const units = readdirSync(FOLDER).filter((name) => /^tic-tac-toe-backup(-verify)?\.(service|timer)$/.test(name));
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const services = units.filter((name) => name.endsWith('.service'));
const analyzer = spawnSync('systemd-analyze', ['--version']).status === 0 ? test : test.skip;

test('each service of a backup has a timer that catches up', () => {
  expect(units).toHaveLength(4);
  for (const name of services) expect(read(name.replace('.service', '.timer'))).toMatch(/^Persistent=true$/m);
});

test('the services differ only in what they run, and share a user, so that one reads the files of the other', () => {
  const same = (name: string) => read(name).replace(/^(# .*|Description=.*|ExecStart=.*)\n/gm, '');
  expect(same(services[0]!)).toBe(same(services[1]!));
});

test('every unit that starts Node has the same system calls: Node needs @pkey, and a refused call must not kill it', () => {
  const starting = readdirSync(FOLDER).filter(
    (name) => name.endsWith('.service') && /^ExecStart=\S*node /m.test(read(name)),
  );
  expect(starting.sort()).toEqual([...services, 'tic-tac-toe.service'].sort());
  const calls = (name: string) => read(name).match(/^SystemCall.*$/gm);
  expect(calls('tic-tac-toe.service')).toEqual(
    expect.arrayContaining(['SystemCallFilter=@system-service @pkey', 'SystemCallErrorNumber=EPERM']),
  );
  for (const name of services) expect(calls(name)).toEqual(calls('tic-tac-toe.service'));
});

test.each(services)('%s runs a command that ttt has, from where the server runs', async (name) => {
  const [, program, words] = /^ExecStart=(\S+) --enable-source-maps dist\/bundle\/ttt\.js (.*)$/m.exec(read(name))!;
  const server = read('tic-tac-toe.service');
  expect(server).toContain(`ExecStart=${program} --enable-source-maps dist/bundle/`);
  for (const line of ['WorkingDirectory=/opt/tic-tac-toe', 'EnvironmentFile=/etc/tic-tac-toe.env']) {
    expect(server).toContain(line);
    expect(read(name)).toContain(line);
  }
  const { said } = await tttWith({}, ...words!.replace('${STATE_DIRECTORY}', '/nowhere').split(' '));
  expect(said).toMatch(/^There is no folder \/nowhere\. /);
});

analyzer('systemd accepts the units, and finds them hardened', () => {
  const paths = units.map((name) => join(FOLDER, name));
  // It misses the program where Node lies elsewhere.
  const said = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' }).stderr;
  const complaints = said.split('\n').filter((line) => line.includes('tic-tac-toe') && !line.includes('/usr/bin/node'));
  expect(complaints).toEqual([]);
  expect(existsSync('/usr/bin/node') ? said : '').not.toContain('not executable');
  for (const name of services) {
    const verdict = execFileSync('systemd-analyze', ['security', '--offline=true', join(FOLDER, name)]).toString();
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(verdict)![1])).toBeLessThan(2);
  }
});
