import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { PodSpec, Service } from 'kubernetes-types/core/v1.js';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import ts from 'typescript';
import { parse } from 'yaml';
import { readEnv, SETTING_NAMES } from '../../server/settings/env.js';
import { LIMIT_MS } from '../../server/app/stop.js';
import { find, kustomize, type Resource } from './kustomize.js';

const FOLDER = 'ops/kubernetes';
/** How long a server waits for another one that migrates. */
const MIGRATION_WAIT_SECONDS = 10 * 60;

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const read = new Set<string>();
const base = kustomize(join(FOLDER, 'base'), read);
const example = kustomize(join(FOLDER, 'example'), read);

const of = <T>(kind: string, name: string, among = base) => find(among, kind, name) as T;
const deployment = of<Deployment>('Deployment', 'tic-tac-toe').spec!;
const jobName = `tic-tac-toe-migrate-${version.replaceAll('.', '-')}`;
const job = of<Job>('Job', jobName).spec!;
const pods = { server: deployment.template.spec!, migration: job.template.spec! };
const [server] = pods.server.containers;
const service = of<Service>('Service', 'tic-tac-toe').spec!;
const metrics = of<Service>('Service', 'tic-tac-toe-metrics').spec!;

/** The problems that TypeScript finds in the resources as values of their types: missing, unknown and wrong fields. */
function problemsOfTypes(resources: readonly Resource[]): string[] {
  const name = join(process.cwd(), 'test/ops/resources.ts');
  const text = resources
    .map((resource, index) => {
      const [group, number = group] = resource.apiVersion.split('/');
      const module = number === group ? 'core' : group!.replace(/\..*/, '');
      return `import type * as t${index} from 'kubernetes-types/${module}/${number}';
        export const r${index}: t${index}.${resource.kind} = ${JSON.stringify(resource)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    types: [],
    target: ts.ScriptTarget.ES2020,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es5.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  const withResources: ts.CompilerHost = {
    ...host,
    fileExists: (file) => file === name || host.fileExists(file),
    getSourceFile: (file, ...rest) =>
      file === name ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2020) : host.getSourceFile(file, ...rest),
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([name], options, withResources))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

/** Prometheus' operator has types of its own. */
const isNative = ({ apiVersion }: Resource) => !apiVersion.startsWith('monitoring.');

test('each file belongs to a kustomization', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));

  expect([...read].sort()).toEqual(files.map((path) => join(FOLDER, path)).sort());
});

test('the resources have the fields of the API of Kubernetes', () => {
  const wrongType = { ...base[0]!, spec: { ...(base[0]!.spec as object), replicas: 'two' } };
  const unknownField = { ...base[0]!, spec: { ...(base[0]!.spec as object), unknown: true } };

  expect(problemsOfTypes([...[...base, ...example].filter(isNative), wrongType, unknownField])).toEqual([
    "Type 'string' is not assignable to type 'number'.",
    `Object literal may only specify known properties, and '"unknown"' does not exist in type 'DeploymentSpec'.`,
  ]);
});

test('image and job have the version of package.json', () => {
  for (const { containers } of Object.values(pods)) expect(containers[0]!.image).toBe(`tic-tac-toe:${version}`);
  expect(of<Deployment>('Deployment', 'tic-tac-toe', example).spec!.template.spec!.containers[0]!.image).toBe(
    `registry.example.org/tic-tac-toe:${version}`,
  );
});

test('every selector finds the servers, and none finds the migration', () => {
  const labels = deployment.template.metadata!.labels!;
  const selectors = [
    deployment.selector.matchLabels,
    pods.server.topologySpreadConstraints![0]!.labelSelector!.matchLabels,
    service.selector,
    metrics.selector,
    of<PodDisruptionBudget>('PodDisruptionBudget', 'tic-tac-toe').spec!.selector!.matchLabels,
    of<NetworkPolicy>('NetworkPolicy', 'tic-tac-toe').spec!.podSelector.matchLabels,
  ];
  for (const selector of selectors) {
    expect(labels).toMatchObject(selector!);
    expect(job.template.metadata!.labels).not.toMatchObject(selector!);
  }
});

test('ports lead from the ingress and from Prometheus to those of the server', () => {
  const settings = of<Resource>('ConfigMap', 'tic-tac-toe').data!;
  expect(server!.ports).toEqual([
    { name: 'http', containerPort: readEnv({}).port },
    { name: 'metrics', containerPort: Number(settings.METRICS_PORT) },
  ]);
  const probes = [server!.startupProbe, server!.livenessProbe, server!.readinessProbe];
  expect(probes.map((probe) => probe!.httpGet!.port)).toEqual(['http', 'http', 'http']);
  expect([service.ports![0]!.targetPort, metrics.ports![0]!.targetPort]).toEqual(['http', 'metrics']);

  const { rules, tls } = of<Ingress>('Ingress', 'tic-tac-toe').spec!;
  const backend = rules![0]!.http!.paths[0]!.backend.service!;
  expect(of<Service>('Service', backend.name).spec!.ports!.map(({ name }) => name)).toContain(backend.port!.name);
  expect([`https://${rules![0]!.host}`, tls![0]!.hosts]).toEqual([settings.PUBLIC_ORIGIN, [rules![0]!.host]]);
  const [players, prometheus] = of<NetworkPolicy>('NetworkPolicy', 'tic-tac-toe').spec!.ingress!;
  expect([players!.ports, prometheus!.ports]).toEqual([[{ port: 'http' }], [{ port: 'metrics' }]]);
  const names = [players, prometheus].map((rule) => rule!.from![0]!.namespaceSelector!.matchLabels);
  expect(names.map((labels) => labels!['kubernetes.io/metadata.name'])).toEqual(['ingress-nginx', 'monitoring']);
});

test('the example has the host of its PUBLIC_ORIGIN everywhere', () => {
  const { PUBLIC_ORIGIN } = of<Resource>('ConfigMap', 'tic-tac-toe', example).data!;
  const { rules, tls } = of<Ingress>('Ingress', 'tic-tac-toe', example).spec!;

  expect([rules![0]!.host, tls![0]!.hosts![0]]).toEqual([new URL(PUBLIC_ORIGIN!).host, new URL(PUBLIC_ORIGIN!).host]);
});

describe.each(Object.entries(pods))('The pod of the %s', (_name, pod: PodSpec) => {
  const [container] = pod.containers;

  test('has the settings that the server needs, with the secrets as files', () => {
    const mount = container!.volumeMounts!.find(({ name }) => name === 'secrets')!;
    const volume = pod.volumes!.find(({ name }) => name === 'secrets')!.secret!;
    expect([volume.secretName, volume.optional]).toEqual(['tic-tac-toe', undefined]);
    const [source] = container!.envFrom!;
    const settings = of<Resource>('ConfigMap', source!.configMapRef!.name!, example).data!;
    expect(SETTING_NAMES).toEqual(
      expect.arrayContaining(Object.keys(settings).map((name) => name.replace(/_FILE$/, ''))),
    );

    const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-secrets-'));
    const values = { ...settings, NODE_ENV: 'production' };
    for (const [name, path] of Object.entries(settings).filter(([name]) => name.endsWith('_FILE'))) {
      expect(path).toBe(`${mount.mountPath}/${name.slice(0, -'_FILE'.length)}`);
      const file = join(folder, basename(path));
      writeFileSync(file, name === 'DATABASE_URL_FILE' ? 'postgresql://user:password@database/game' : 'x'.repeat(32));
      Object.assign(values, { [name]: file });
    }
    expect(readEnv(values)).toMatchObject({ production: true, trustProxy: 1, metricsHost: '0.0.0.0' });
    rmSync(folder, { recursive: true });
  });

  test('runs without root, without rights and without a file system to write to', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(pod.securityContext!.seccompProfile).toEqual({ type: 'RuntimeDefault' });
    expect(container!.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    const volumes = pod.volumes!.map(({ name }) => name);
    expect(container!.volumeMounts!.map(({ name }) => name)).toEqual(volumes);
  });

  test('has the memory of the container in docker-compose.yml', () => {
    const { services } = parse(readFileSync('docker-compose.yml', 'utf8')) as {
      services: { server: { mem_limit: string } };
    };
    expect(container!.resources!.limits).toEqual({ memory: services.server.mem_limit.replace('m', 'Mi') });
  });
});

test('a server has time to stop in order, and to wait for a migration before it listens', () => {
  const { http } = readEnv({ SHUTDOWN_DELAY_MS: '5000' });
  const { periodSeconds, failureThreshold } = server!.startupProbe!;

  expect(pods.server.terminationGracePeriodSeconds! * 1_000).toBeGreaterThan(http.shutdownDelay + LIMIT_MS);
  expect(periodSeconds! * failureThreshold!).toBeGreaterThan(MIGRATION_WAIT_SECONDS);
});

test('an update and a drained node take one server at a time', () => {
  expect(deployment.replicas).toBeGreaterThan(1);
  expect(deployment.strategy!.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  expect(of<PodDisruptionBudget>('PodDisruptionBudget', 'tic-tac-toe').spec!.maxUnavailable).toBe(1);
});

test('the operator of Prometheus finds the servers, under the job of the alert rules', () => {
  const monitor = of<Resource>('ServiceMonitor', 'tic-tac-toe', example).spec as {
    selector: { matchLabels: Record<string, string> };
    endpoints: { port: string; relabelings: { targetLabel: string; replacement: string }[] }[];
  };
  const { scrape_configs } = parse(readFileSync('ops/prometheus.yml', 'utf8')) as {
    scrape_configs: { job_name: string }[];
  };
  const matching = base.filter(
    ({ kind, metadata }) =>
      kind === 'Service' &&
      Object.entries(monitor.selector.matchLabels).every(([name, value]) => metadata.labels?.[name] === value),
  );

  expect(matching.map(({ metadata }) => metadata.name)).toEqual(['tic-tac-toe-metrics']);
  expect(monitor.endpoints[0]!.port).toBe(metrics.ports![0]!.name);
  expect(monitor.endpoints[0]!.relabelings).toEqual([{ targetLabel: 'job', replacement: scrape_configs[0]!.job_name }]);
});
