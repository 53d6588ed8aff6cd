import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { findProgram } from '../../scripts/machine/debian.js';
import { attempt } from '../../scripts/machine/run.js';

interface Alert {
  alert: string;
}

const promtool = findProgram('promtool');
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

test('there are at most eleven alerts, and each has a test and a part of the docs', () => {
  const [tests, docs] = [TESTS, 'docs/operations.md'].map((file) => readFileSync(file, 'utf8'));

  expect(alerts.length).toBeLessThanOrEqual(11);
  for (const { alert } of alerts) {
    expect(tests).toContain(`alertname: ${alert}`);
    expect(docs).toContain(`\n### ${alert}\n`);
  }
});
