import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Service } from 'kubernetes-types/core/v1.js';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { parse } from 'yaml';
import { readEnv, SETTING_NAMES } from '../../server/settings/env.js';
import { LIMIT_MS } from '../../server/app/stop.js';
import { problemsOf } from './kubernetes-schemas.js';
import { base, describeWithKubectl, everything, example, find, podOf, type Resource } from './kustomize.js';

/** How long a server waits for another one that migrates. */
const MIGRATION_WAIT_SECONDS = 10 * 60;

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** Kind and name of what starts pods. */
const PODS = {
  server: ['Deployment', 'tic-tac-toe'],
  migration: ['Job', `tic-tac-toe-migrate-${version.replaceAll('.', '-')}`],
  backup: ['CronJob', 'tic-tac-toe-backup'],
  'verification of backups': ['CronJob', 'tic-tac-toe-backup-verify'],
  archive: ['CronJob', 'tic-tac-toe-archive'],
} as const;

const pod = (name: keyof typeof PODS, among = everything()) => podOf(find(among, PODS[name][0], PODS[name][1]))!;
const deployment = () => find<Deployment>(base(), 'Deployment', 'tic-tac-toe').spec!;
const server = () => pod('server').spec.containers[0]!;
const service = (name: string) => find<Service>(base(), 'Service', name).spec!;
const policy = (among = base()) => find<NetworkPolicy>(among, 'NetworkPolicy', 'tic-tac-toe').spec!;
const ingress = (among = base()) => find<Ingress>(among, 'Ingress', 'tic-tac-toe').spec!;
const settings = (among = base()) => find(among, 'ConfigMap', 'tic-tac-toe').data!;

test('each file belongs to a kustomization, and the example offers each component', () => {
  interface Kustomization {
    resources?: string[];
    patches?: { path?: string }[];
    configMapGenerator?: { files?: string[] }[];
  }
  const files = readdirSync('ops/kubernetes', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.yaml'),
  );
  const folders = [...new Set(files.map((path) => dirname(path)))];
  const named = folders.flatMap((folder) => {
    const text = readFileSync(join('ops/kubernetes', folder, 'kustomization.yaml'), 'utf8');
    const { resources = [], patches = [] } = parse(text) as Kustomization;
    const parts = [...resources, ...patches.flatMap(({ path }) => path ?? []), 'kustomization.yaml'];
    return parts.filter((part) => part.endsWith('.yaml')).map((part) => join(folder, part));
  });
  expect(named.toSorted()).toEqual(files.toSorted());

  const text = readFileSync('ops/kubernetes/example/kustomization.yaml', 'utf8');
  const components = folders.filter((folder) => folder.startsWith('components/'));
  for (const component of components) expect(text).toContain(`  # - ../${component}\n`);
});

describeWithKubectl('Kubernetes', () => {
  test('all objects have the fields of their API', () => {
    const broken = (kind: string, name: string, spec: object): Resource => {
      const resource = find(everything(), kind, name);
      return { ...resource, spec: { ...(resource.spec as object), ...spec } };
    };
    const wrong = [
      broken('Deployment', 'tic-tac-toe', { replicas: 'two' }),
      broken('Deployment', 'tic-tac-toe', { unknown: true }),
      broken('HorizontalPodAutoscaler', 'tic-tac-toe', { minReplica: 2 }),
      broken('CronJob', 'tic-tac-toe-archive', { schedule: undefined }),
      broken('NetworkPolicy', 'tic-tac-toe-jobs', { egress: [{ port: 53 }] }),
      broken('ServiceMonitor', 'tic-tac-toe', { endpoints: [{ ports: 'metrics' }] }),
      broken('PrometheusRule', 'tic-tac-toe', { groups: [{ rules: [{ for: '5 minutes' }] }] }),
    ];

    const problems = problemsOf([...base(), ...example(), ...everything(), ...wrong]);
    expect(problems.map((problem) => problem.slice(0, problem.indexOf(':')))).toEqual([
      'Deployment tic-tac-toe',
      'Deployment tic-tac-toe',
      'HorizontalPodAutoscaler tic-tac-toe',
      'CronJob tic-tac-toe-archive',
      'NetworkPolicy tic-tac-toe-jobs',
      'ServiceMonitor tic-tac-toe',
      'PrometheusRule tic-tac-toe',
      'PrometheusRule tic-tac-toe',
      'PrometheusRule tic-tac-toe',
    ]);
    expect(problems[0]).toContain("Type 'string' is not assignable to type 'number'.");
  });

  test('images and job have the version of package.json', () => {
    const imageOf = (name: keyof typeof PODS, among?: readonly Resource[]) =>
      pod(name, among).spec.containers[0]!.image;
    for (const name of ['server', 'migration'] as const) expect(imageOf(name, base())).toBe(`tic-tac-toe:${version}`);
    const registry = 'registry.example.org';
    const names = Object.keys(PODS) as (keyof typeof PODS)[];
    expect(names.map((name) => imageOf(name))).toEqual([
      `${registry}/tic-tac-toe:${version}`,
      `${registry}/tic-tac-toe:${version}`,
      `${registry}/tic-tac-toe-backup:${version}`,
      `${registry}/tic-tac-toe-backup:${version}`,
      `${registry}/tic-tac-toe:${version}`,
    ]);
  });

  test('every selector finds the servers, and none finds a job', () => {
    const selectors = [
      deployment().selector.matchLabels,
      pod('server').spec.topologySpreadConstraints![0]!.labelSelector!.matchLabels,
      service('tic-tac-toe').selector,
      service('tic-tac-toe-metrics').selector,
      find<PodDisruptionBudget>(base(), 'PodDisruptionBudget', 'tic-tac-toe').spec!.selector!.matchLabels,
      policy().podSelector.matchLabels,
    ];
    for (const selector of selectors) {
      expect(pod('server').labels).toMatchObject(selector!);
      for (const name of ['migration', 'backup', 'verification of backups', 'archive'] as const) {
        expect(pod(name).labels).not.toMatchObject(selector!);
      }
    }
  });

  test('ports lead from the ingress and from Prometheus to those of the server', () => {
    const { PUBLIC_ORIGIN, METRICS_PORT } = settings();
    expect(server().ports).toEqual([
      { name: 'http', containerPort: readEnv({}).port },
      { name: 'metrics', containerPort: Number(METRICS_PORT) },
    ]);
    const probes = [server().startupProbe, server().livenessProbe, server().readinessProbe];
    expect(probes.map((probe) => probe!.httpGet!.port)).toEqual(['http', 'http', 'http']);
    const targets = [service('tic-tac-toe'), service('tic-tac-toe-metrics')].map(({ ports }) => ports![0]!.targetPort);
    expect(targets).toEqual(['http', 'metrics']);

    const { rules, tls } = ingress();
    const backend = rules![0]!.http!.paths[0]!.backend.service!;
    expect(service(backend.name).ports!.map(({ name }) => name)).toContain(backend.port!.name);
    expect([`https://${rules![0]!.host}`, tls![0]!.hosts]).toEqual([PUBLIC_ORIGIN, [rules![0]!.host]]);
    const [players, prometheus] = policy().ingress!;
    expect([players!.ports, prometheus!.ports]).toEqual([[{ port: 'http' }], [{ port: 'metrics' }]]);
  });

  test('the example has one host, and one ingress controller with its namespace', () => {
    const { rules, tls, ingressClassName } = ingress(example());
    const { host } = new URL(settings(example()).PUBLIC_ORIGIN!);
    expect([rules![0]!.host, tls![0]!.hosts![0]]).toEqual([host, host]);
    const callers = (among: readonly Resource[]) =>
      policy(among).ingress!.map(({ from }) => Object.values(from![0]!.namespaceSelector!.matchLabels!).join());
    expect([ingress().ingressClassName, callers(base())]).toEqual(['nginx', ['ingress-nginx', 'monitoring']]);
    expect([ingressClassName, callers(example())]).toEqual(['traefik', ['traefik', 'monitoring']]);
  });

  describe.each(Object.keys(PODS) as (keyof typeof PODS)[])('The pod of the %s', (name) => {
    const container = () => pod(name).spec.containers[0]!;

    test('has the settings that the server needs, with the secrets as files', () => {
      const mount = container().volumeMounts!.find((mounted) => mounted.name === 'secrets')!;
      const volume = pod(name).spec.volumes!.find((mounted) => mounted.name === 'secrets')!.secret!;
      expect([volume.secretName, volume.optional]).toEqual(['tic-tac-toe', undefined]);
      const source = container().envFrom![0]!.configMapRef!.name!;
      const { data } = everything().find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === source)!;
      expect(SETTING_NAMES).toEqual(
        expect.arrayContaining(Object.keys(data!).map((setting) => setting.replace(/_FILE$/, ''))),
      );

      const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-secrets-'));
      const values = { ...data, NODE_ENV: 'production' };
      for (const [setting, path] of Object.entries(data!).filter(([setting]) => setting.endsWith('_FILE'))) {
        expect(path).toBe(`${mount.mountPath}/${setting.slice(0, -'_FILE'.length)}`);
        const file = join(folder, basename(path));
        const isAddress = setting === 'DATABASE_URL_FILE';
        writeFileSync(file, isAddress ? 'postgresql://user:password@database/game' : 'x'.repeat(32));
        Object.assign(values, { [setting]: file });
      }
      expect(readEnv(values)).toMatchObject({ production: true, trustProxy: 1, metricsHost: '0.0.0.0' });
      rmSync(folder, { recursive: true });
    });

    test('runs without root, without rights and without a file system to write to', () => {
      const { securityContext, automountServiceAccountToken, volumes } = pod(name).spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
      expect(securityContext!.seccompProfile).toEqual({ type: 'RuntimeDefault' });
      expect(container().securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(automountServiceAccountToken).toBe(false);
      expect(container().volumeMounts!.map((mount) => mount.name)).toEqual(volumes!.map((volume) => volume.name));
      const claims = volumes!.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
      for (const claim of claims) find(everything(), 'PersistentVolumeClaim', claim);
    });

    test('has the memory of the container in docker-compose.yml', () => {
      const { services } = parse(readFileSync('docker-compose.yml', 'utf8')) as {
        services: { server: { mem_limit: string } };
      };
      expect(container().resources!.limits).toEqual({ memory: services.server.mem_limit.replace('m', 'Mi') });
    });
  });

  test('a server has time to stop in order, and to wait for a migration before it listens', () => {
    const { http } = readEnv({ SHUTDOWN_DELAY_MS: '5000' });
    const { periodSeconds, failureThreshold } = server().startupProbe!;

    expect(pod('server').spec.terminationGracePeriodSeconds! * 1_000).toBeGreaterThan(http.shutdownDelay + LIMIT_MS);
    expect(periodSeconds! * failureThreshold!).toBeGreaterThan(MIGRATION_WAIT_SECONDS);
  });

  test('an update and a drained node take one server at a time', () => {
    expect(deployment().replicas).toBeGreaterThan(1);
    expect(deployment().strategy!.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(find<PodDisruptionBudget>(base(), 'PodDisruptionBudget', 'tic-tac-toe').spec!.maxUnavailable).toBe(1);
  });
});
