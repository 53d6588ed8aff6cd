import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { findPromtool } from '../../scripts/machine/promtool.js';
import { attempt } from '../../scripts/machine/run.js';

interface Alert {
  alert: string;
  annotations: { summary: string; runbook: string };
}

const promtool = findPromtool();
const [suite, title] = promtool
  ? [describe, 'Prometheus']
  : [describe.skip, 'Prometheus (SKIPPED: promtool is not installed; on Debian: apt-get install prometheus)'];

const rules = parse(readFileSync('ops/prometheus-rules.yml', 'utf8')) as { groups: { rules: Alert[] }[] };
const alerts = rules.groups.flatMap((group) => group.rules);

suite(title, () => {
  test.each([
    ['accepts the configuration and the rules', ['check', 'config', 'ops/prometheus.yml']],
    ['fires each alert on its series, and on no others', ['test', 'rules', 'ops/prometheus-rules.test.yml']],
  ])('%s', async (_what, args) => {
    const { code, output } = await attempt(promtool!, args, { quiet: true });

    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  });
});

test('each alert has a test', () => {
  const tests = readFileSync('ops/prometheus-rules.test.yml', 'utf8');

  for (const { alert } of alerts) expect(tests).toContain(`alertname: ${alert}`);
});

test('each alert links to its page of the runbook, and each page has an alert', () => {
  const pages = readdirSync('docs/runbook').filter((page) => page !== 'README.md');

  expect(alerts.map(({ annotations }) => annotations.runbook)).toEqual(
    alerts.map(({ alert }) => `docs/runbook/${alert}.md`),
  );
  expect(pages).toEqual(alerts.map(({ alert }) => `${alert}.md`).toSorted());
});
