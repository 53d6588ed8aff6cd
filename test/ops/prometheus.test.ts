import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { findPromtool } from '../../scripts/machine/promtool.js';
import { attempt } from '../../scripts/machine/run.js';

interface Alert {
  alert: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const promtool = findPromtool();
const [suite, title] = promtool
  ? [describe, 'Prometheus']
  : [describe.skip, 'Prometheus (SKIPPED: promtool is not installed; on Debian: apt-get install prometheus)'];

const TESTS = 'ops/prometheus-rules.test.yml';
const rules = parse(readFileSync('ops/prometheus-rules.yml', 'utf8')) as { groups: { rules: Alert[] }[] };
const alerts = rules.groups.flatMap((group) => group.rules);

suite(title, () => {
  test.each([
    ['accepts the configuration and the rules', ['check', 'config', 'ops/prometheus.yml']],
    ['fires each alert on its series, and on no others', ['test', 'rules', TESTS]],
  ])('%s', async (_what, args) => {
    const { code, output } = await attempt(promtool!, args, { quiet: true });

    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  });
});

test('there are at most ten alerts, and each has a test', () => {
  const tests = readFileSync(TESTS, 'utf8');

  expect(alerts.length).toBeLessThanOrEqual(10);
  for (const { alert } of alerts) expect(tests).toContain(`alertname: ${alert}`);
});

const FILE = 'docs/operations.md';
const [, section] = /^## Alerts\n([^]*?)(?=^## )/m.exec(readFileSync(FILE, 'utf8'))!;

test('each alert links to its part of the docs, which names its severity and says what it means', () => {
  const parts = [...section!.matchAll(/^### (Ttt\w+)\n\n(.*)$/gm)].map(([, alert, line]) => [alert, line]);

  expect(parts).toEqual(
    alerts.map(({ alert, labels, annotations }) => [alert, `(${labels.severity}) ${annotations.summary}`]),
  );
  expect(alerts.map(({ annotations }) => annotations.runbook_url)).toEqual(
    alerts.map(({ alert }) => `${FILE}#${alert.toLowerCase()}`),
  );
});

test('its commands are for a shell, and name services that exist', async () => {
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8')) as { services: object };
  const commands = [...section!.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, text]) => text!).join('\n');
  const named = commands.matchAll(/docker compose (?:logs|exec|restart|stop|ps|up)((?: -{1,2}\S+)*) ([a-z][\w-]*)/g);
  const names = [...named].map(([, , service]) => service);

  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect(Object.keys(services)).toContain(name);
  expect(await attempt('bash', ['-n', '-c', commands], { quiet: true })).toEqual({ code: 0, output: '' });
});

test('the dashboard works with any data source of Prometheus', () => {
  const { templating, panels } = JSON.parse(readFileSync('ops/grafana/dashboard.json', 'utf8')) as {
    templating: { list: object[] };
    panels: { datasource: object }[];
  };
  expect(templating.list).toEqual([
    { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
  ]);
  for (const { datasource } of panels) expect(datasource).toEqual({ type: 'prometheus', uid: '${datasource}' });
});
