import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { findPromtool } from '../../scripts/machine/promtool.js';
import { attempt } from '../../scripts/machine/run.js';

interface Alert {
  alert: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const promtool = findPromtool();
const [suite, title] = promtool
  ? [describe, 'Prometheus']
  : [describe.skip, 'Prometheus (SKIPPED: promtool is not installed; on Debian: apt-get install prometheus)'];

const rules = parse(readFileSync('ops/prometheus-rules.yml', 'utf8')) as { groups: { rules: Alert[] }[] };
const alerts = rules.groups.flatMap((group) => group.rules);
/** An alert may have a rule for each severity. */
const names = [...new Set(alerts.map(({ alert }) => alert))];

const TESTS = ['ops/prometheus-rules.test.yml'];

suite(title, () => {
  test.each([
    ['accepts the configuration and the rules', ['check', 'config', 'ops/prometheus.yml']],
    ['fires each alert on its series, and on no others', ['test', 'rules', ...TESTS]],
  ])('%s', async (_what, args) => {
    const { code, output } = await attempt(promtool!, args, { quiet: true });

    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  });
});

test('each alert has a test', () => {
  const tests = TESTS.map((file) => readFileSync(file, 'utf8')).join('');

  for (const alert of names) expect(tests).toContain(`alertname: ${alert}`);
});

test('each alert links to its page of the runbook, and each page of an alert has an alert', () => {
  const pages = readdirSync('docs/runbook').filter((page) => page.startsWith('Ttt'));

  expect(alerts.map(({ annotations }) => annotations.runbook)).toEqual(
    alerts.map(({ alert }) => `docs/runbook/${alert}.md`),
  );
  expect(pages).toEqual(names.map((alert) => `${alert}.md`).toSorted());
});

const index = readFileSync('docs/runbook/README.md', 'utf8');

test('the table of the runbook has each alert with its severities and its summary', () => {
  const rows = [...index.matchAll(/^\| \[(Ttt\w+)\]\(\1\.md\) +\| ([\w, ]+?) +\| (.+?) +\|$/gm)];

  expect(rows.map(([, name, severity, summary]) => [name, severity, summary]).toSorted()).toEqual(
    names
      .map((name) => {
        const rules = alerts.filter(({ alert }) => alert === name);
        return [name, rules.map(({ labels }) => labels.severity).join(', '), rules[0]!.annotations.summary];
      })
      .toSorted(),
  );
});

const pages = readdirSync('docs/runbook').filter((page) => page !== 'README.md');

test('the runbook links to each of its pages', () => {
  for (const page of pages) expect(index).toContain(`](${page})`);
});

/** What the commands of a platform look like. */
const PLATFORMS = {
  Compose: /^docker compose /m,
  systemd: /systemctl|journalctl|sudo /,
  Kubernetes: /kubectl --namespace /,
};
const UNITS = ['haproxy', 'nginx', 'caddy', 'postgresql', 'prometheus-node-exporter', 'prometheus-blackbox-exporter'];

describe.each(pages)('The page %s', (page) => {
  const text = readFileSync(`docs/runbook/${page}`, 'utf8');
  const blocks = new Map([...text.matchAll(/^### (\w+)\n\n```sh\n(.*?)\n```$/gms)].map(([, name, sh]) => [name!, sh!]));

  test('says what it means, where to look first, and what to do', () => {
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);

    expect(headings).toEqual(['Meaning', 'First look', 'Action', 'Commands']);
    if (page.startsWith('Ttt')) expect(text).toMatch(new RegExp(`^# ${page.replace('.md', '')}\n`));
  });

  test.each(Object.entries(PLATFORMS))('has commands for %s, which a shell can read', async (platform, own) => {
    const commands = blocks.get(platform)!;

    expect(commands).toMatch(own);
    expect(await attempt('bash', ['-n', '-c', commands], { quiet: true })).toEqual({ code: 0, output: '' });
  });

  test('names only services, units and namespaces that exist', () => {
    const { services } = parse(readFileSync('docker-compose.yml', 'utf8')) as { services: object };
    const named = text.matchAll(/docker compose (?:logs|exec|restart|stop|ps|up)((?: -{1,2}\S+)*) ([a-z][\w-]*)/g);
    for (const [, , service] of named) expect(Object.keys(services)).toContain(service);
    for (const [command, unit] of text.matchAll(/(?:systemctl \w+|--unit) ([\w-]+)/g)) {
      if (!command.startsWith('systemctl list'))
        expect(unit).toMatch(new RegExp(`^(tic-tac-toe(-backup)?|${UNITS.join('|')})$`));
    }
    for (const line of text.split('\n').filter((line) => line.startsWith('kubectl '))) {
      expect(line).toMatch(/^kubectl (--namespace (games|monitoring|ingress-nginx|traefik)|get nodes) /);
    }
  });
});
