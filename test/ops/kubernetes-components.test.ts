import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js';
import type { CronJob } from 'kubernetes-types/batch/v1.js';
import type { Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { parse } from 'yaml';
import { findPromtool } from '../../scripts/machine/promtool.js';
import { attempt } from '../../scripts/machine/run.js';
import { readEnv } from '../../server/settings/env.js';
import { tttWith } from '../support/ttt.js';
import { base, describeWithKubectl, everything, find, podOf, type Resource } from './kustomize.js';

/** Connections beside the pool: readiness and background work; and what PostgreSQL has by default for roles that are not superusers. */
const OWN_CONNECTIONS = 3;
const MIGRATION_CONNECTIONS = 2;
const POSTGRES_CONNECTIONS = 97;

const yaml = <T>(file: string) => parse(readFileSync(file, 'utf8')) as T;

interface Dashboard {
  templating: { list: { name: string; type: string; query: string }[] };
  panels: { datasource?: { type: string; uid: string }; targets?: object[] }[];
}
const dashboardText = readFileSync('ops/grafana/dashboard.json', 'utf8');

test('the dashboard works with any data source of Prometheus', () => {
  const { templating, panels } = JSON.parse(dashboardText) as Dashboard;
  expect(templating.list).toEqual([
    { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
  ]);
  const sources = panels.filter(({ targets }) => targets).map(({ datasource }) => datasource);
  expect(sources.length).toBeGreaterThan(20);
  for (const source of sources) expect(source).toEqual({ type: 'prometheus', uid: '${datasource}' });
  expect(dashboardText.match(/"uid": /g)).toHaveLength(sources.length + 1);
});

interface AdapterRule {
  seriesQuery: string;
  name: { as: string };
  metricsQuery: string;
}
const [adapterRule] = yaml<{ rules: { custom: AdapterRule[] } }>(
  'ops/kubernetes/components/autoscaling/prometheus-adapter.yml',
).rules.custom;

/** What prometheus-adapter asks for the pods of the servers. */
function queryOf({ seriesQuery, metricsQuery }: AdapterRule): string {
  return metricsQuery
    .replace('<<.Series>>', seriesQuery.replace(/\{.*/, ''))
    .replace('<<.LabelMatchers>>', 'namespace="games",pod=~"tic-tac-toe-1|tic-tac-toe-2"')
    .replace('<<.GroupBy>>', 'pod');
}

(findPromtool() ? test : test.skip)(
  `the query of prometheus-adapter finds the requests in flight of each pod${findPromtool() ? '' : ' (SKIPPED: promtool is not installed)'}`,
  async () => {
    const of = (pod: string, rest: string, values: string) => ({
      series: `ttt_http_request_duration_seconds_sum{namespace="games",pod="${pod}",${rest}}`,
      values,
    });
    const tests = {
      evaluation_interval: '15s',
      tests: [
        {
          interval: '15s',
          input_series: [
            // 90 seconds of work in 15 seconds: six requests at any time; and two of another route.
            of('tic-tac-toe-1', 'route="/graphql",operation="finishGame"', '0+90x20'),
            of('tic-tac-toe-1', 'route="file",operation=""', '0+30x20'),
            of('tic-tac-toe-2', 'route="/health/ready",operation=""', '0+0x20'),
            of('another', 'route="/graphql",operation="finishGame"', '0+90x20'),
          ],
          promql_expr_test: [
            {
              expr: queryOf(adapterRule!),
              eval_time: '5m',
              exp_samples: [
                { labels: '{pod="tic-tac-toe-1"}', value: 8 },
                { labels: '{pod="tic-tac-toe-2"}', value: 0 },
              ],
            },
          ],
        },
      ],
    };
    const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-adapter-'));
    const file = join(folder, 'adapter.test.yml');
    writeFileSync(file, JSON.stringify(tests));
    const { code, output } = await attempt(findPromtool()!, ['test', 'rules', file], { quiet: true });
    rmSync(folder, { recursive: true });
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  },
);

describeWithKubectl('The components for Kubernetes', () => {
  test('the autoscaler alone sets the number of servers, and PostgreSQL has enough connections for all', () => {
    const { scaleTargetRef, minReplicas, maxReplicas, metrics, behavior } = find<HorizontalPodAutoscaler>(
      everything(),
      'HorizontalPodAutoscaler',
      'tic-tac-toe',
    ).spec!;
    const { kind, name, apiVersion } = scaleTargetRef;
    const { apiVersion: actual } = find(everything(), kind, name);
    const { replicas, strategy } = find<Deployment>(everything(), kind, name).spec!;
    expect([apiVersion, replicas]).toEqual([actual, undefined]);
    expect(find<Deployment>(base(), kind, name).spec!.replicas).toBe(minReplicas);

    const budget = find<PodDisruptionBudget>(everything(), 'PodDisruptionBudget', 'tic-tac-toe').spec!;
    expect(minReplicas! - Number(budget.maxUnavailable)).toBeGreaterThan(0);
    const { poolSize } = readEnv({}).database;
    const servers = maxReplicas + Number(strategy!.rollingUpdate!.maxSurge);
    expect(servers * (poolSize + OWN_CONNECTIONS) + MIGRATION_CONNECTIONS).toBeLessThanOrEqual(POSTGRES_CONNECTIONS);

    const [processor, requests] = metrics!;
    expect(processor!.resource).toEqual({ name: 'cpu', target: { type: 'AverageValue', averageValue: '600m' } });
    expect(requests!.pods!.metric.name).toBe(adapterRule!.name.as);
    expect(Number(requests!.pods!.target.averageValue)).toBeLessThan(poolSize);
    const { stabilizationWindowSeconds, policies } = behavior!.scaleDown!;
    expect([stabilizationWindowSeconds, policies!.map(({ value }) => value)]).toEqual([600, [1]]);
  });

  test('the operator of Prometheus finds the servers, under the job of the alert rules', () => {
    const monitor = find(everything(), 'ServiceMonitor', 'tic-tac-toe').spec as {
      selector: { matchLabels: Record<string, string> };
      endpoints: { port: string; relabelings: { targetLabel: string; replacement: string }[] }[];
    };
    const { scrape_configs } = yaml<{ scrape_configs: { job_name: string }[] }>('ops/prometheus.yml');
    const matching = everything().filter(
      ({ kind, metadata }) =>
        kind === 'Service' &&
        Object.entries(monitor.selector.matchLabels).every(([name, value]) => metadata.labels?.[name] === value),
    );

    expect(matching.map(({ metadata }) => metadata.name)).toEqual(['tic-tac-toe-metrics']);
    expect(monitor.endpoints[0]!.port).toBe((matching[0] as unknown as Service).spec!.ports![0]!.name);
    expect(monitor.endpoints[0]!.relabelings).toEqual([
      { targetLabel: 'job', replacement: scrape_configs[0]!.job_name },
    ]);
  });

  test('the alerts are those of ops/prometheus-rules.yml', () => {
    expect(find(everything(), 'PrometheusRule', 'tic-tac-toe').spec).toEqual(yaml('ops/prometheus-rules.yml'));
  });

  test('the sidecar of Grafana finds the dashboard of Compose', () => {
    const { metadata, data } = find(everything(), 'ConfigMap', 'tic-tac-toe-dashboard');
    expect([metadata.name, metadata.labels!.grafana_dashboard]).toEqual(['tic-tac-toe-dashboard', '1']);
    expect(data).toEqual({ 'tic-tac-toe.json': dashboardText });
  });

  test('backups run every night, are verified every week, and never two at a time', () => {
    const [backup, verify] = ['tic-tac-toe-backup', 'tic-tac-toe-backup-verify'].map(
      (name) => find<CronJob>(everything(), 'CronJob', name).spec!,
    );
    expect([backup!.schedule, verify!.schedule]).toEqual(['30 2 * * *', '30 4 * * 0']);
    for (const job of [backup!, verify!]) {
      expect(job).toMatchObject({
        concurrencyPolicy: 'Forbid',
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 3,
      });
      expect(job.jobTemplate.spec!.activeDeadlineSeconds).toBeGreaterThan(0);
      const { containers, volumes } = job.jobTemplate.spec!.template.spec!;
      const [, path] = /--folder (\S+)/.exec(containers[0]!.command!.join(' '))!;
      const mount = containers[0]!.volumeMounts!.find(({ mountPath }) => mountPath === path)!;
      expect(volumes!.find(({ name }) => name === mount.name)!.persistentVolumeClaim!.claimName).toBe(
        'tic-tac-toe-backups',
      );
    }
    expect(find<CronJob>(everything(), 'CronJob', 'tic-tac-toe-archive').spec!.suspend).toBe(true);
  });

  test('`ttt` knows the commands and options of the jobs', async () => {
    const jobs = everything().filter(({ kind, metadata }) => kind === 'Job' || metadata.name === 'tic-tac-toe-archive');
    expect(jobs).toHaveLength(2);
    for (const job of jobs) {
      const [program, ...all] = podOf(job)!.spec.containers[0]!.command!;
      const { code, said } = await tttWith({}, ...all, '--help');
      const words = all[0] === '--operator' ? all.slice(2) : all;
      expect([program, code]).toEqual(['ttt', 0]);
      expect(said).toContain(`Usage: ttt ${words.filter((word) => /^[a-z]+$/.test(word)).join(' ')}`);
      for (const option of words.filter((word) => word.startsWith('--'))) expect(said).toContain(`${option} <`);
    }
  });
});

type Egress = NonNullable<NonNullable<NetworkPolicy['spec']>['egress']>;

/** Whether a policy lets a pod reach an address outside the cluster. */
function allows(egress: Egress, address: string, port: number, protocol = 'TCP'): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  const within = (...ranges: string[]) => {
    const list = new BlockList();
    for (const range of ranges.filter((range) => isIPv6(range.split('/')[0]!) === (family === 'ipv6'))) {
      const [net, bits] = range.split('/');
      list.addSubnet(net!, Number(bits), family);
    }
    return list.check(address, family);
  };
  return egress.some(
    ({ to, ports }) =>
      ports!.some((one) => one.port === port && (one.protocol ?? 'TCP') === protocol) &&
      (!to || to.some(({ ipBlock }) => ipBlock && within(ipBlock.cidr) && !within(...(ipBlock.except ?? [])))),
  );
}

describeWithKubectl('What pods in Kubernetes may reach', () => {
  const egress = (name: string, among: readonly Resource[]) => {
    const { policyTypes, egress } = find<NetworkPolicy>(among, 'NetworkPolicy', name).spec!;
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    return egress!;
  };
  const [GOOGLE, GOOGLE_IPV6, DATABASE] = ['142.250.74.109', '2a00:1450:4001:80e::200d', '10.0.20.5'];

  test('a server: names, the database and the public addresses of the providers', () => {
    const rules = egress('tic-tac-toe', base());
    const reached = [
      allows(rules, '10.96.0.10', 53, 'UDP'),
      allows(rules, '10.96.0.10', 53),
      allows(rules, DATABASE, 5432),
      allows(rules, DATABASE, 6432),
      allows(rules, GOOGLE, 443),
      allows(rules, GOOGLE_IPV6, 443),
    ];
    expect(reached).toEqual(reached.map(() => true));
    const refused = [
      // The API of Kubernetes, the metadata of a cloud, other services.
      allows(rules, '10.96.0.1', 443),
      allows(rules, 'fd00::1', 443),
      allows(rules, '169.254.169.254', 80),
      allows(rules, '192.168.1.1', 443),
      allows(rules, GOOGLE, 80),
      allows(rules, '10.0.0.9', 4318),
    ];
    expect(refused).toEqual(refused.map(() => false));
  });

  test('a job: names and the database', () => {
    const rules = egress('tic-tac-toe-jobs', base());
    expect([allows(rules, DATABASE, 5432), allows(rules, GOOGLE, 443)]).toEqual([true, false]);
    const { podSelector, ingress } = find<NetworkPolicy>(base(), 'NetworkPolicy', 'tic-tac-toe-jobs').spec!;
    expect(ingress).toBeUndefined();
    for (const resource of everything()) {
      const labels = podOf(resource)?.labels;
      if (!labels) continue;
      const isJob = podSelector.matchExpressions!.every(({ key, values }) => values!.includes(labels[key]!));
      expect([resource.metadata.name, isJob]).toEqual([resource.metadata.name, resource.kind !== 'Deployment']);
    }
  });

  test('the example names the address of the database, and the receiver of traces', () => {
    for (const name of ['tic-tac-toe', 'tic-tac-toe-jobs']) {
      const rules = egress(name, everything());
      expect([allows(rules, DATABASE, 5432), allows(rules, '10.0.20.6', 5432)]).toEqual([true, false]);
      expect(allows(rules, GOOGLE, 443)).toBe(name === 'tic-tac-toe');
    }
    const { to, ports } = egress('tic-tac-toe', everything()).at(-1)!;
    const { OTEL_EXPORTER_OTLP_ENDPOINT } = find(everything(), 'ConfigMap', 'tic-tac-toe').data!;
    const { hostname, port } = new URL(OTEL_EXPORTER_OTLP_ENDPOINT!);
    expect(Object.values(to![0]!.namespaceSelector!.matchLabels!)).toEqual([hostname.split('.')[1]]);
    expect(ports).toEqual([{ port: Number(port) }]);
  });
});
