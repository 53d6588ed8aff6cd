import { readFileSync, statSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { released } from '../../scripts/release/files.js';
import { readEnv, SETTING_NAMES } from '../../server/settings/env.js';
import { LIMIT_MS } from '../../server/app/stop.js';
import { environmentOf, interpolate, type Service } from '../support/compose.js';
import { wrongSettingsIn } from '../support/server.js';

const text = readFileSync('docker-compose.yml', 'utf8');
type Name = 'database' | 'server' | 'caddy' | 'backup' | 'prometheus' | 'alertmanager' | 'grafana';
const compose = parse(text, { merge: true }) as {
  'x-required': string[];
  services: Record<Name, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean } | null>;
};
const { database, server, caddy, backup, prometheus, alertmanager, grafana } = compose.services;
const ofMetrics = Object.values(compose.services).filter(({ profiles }) => profiles?.includes('metrics'));
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** The environment of the server, or the error of `docker compose`. */
function environmentWith(settings: Record<string, string>): Record<string, string> {
  for (const value of compose['x-required']) interpolate(value, settings);
  return environmentOf(server, settings);
}

/** The names of the settings in .env.example. Each has an empty line such as PORT= */
const exampleNames = [...readFileSync('.env.example', 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => {
  expect(value).toBe('');
  return name;
});

const FILLED = {
  DATABASE_PASSWORD: 'c0ffee',
  PUBLIC_ORIGIN: 'https://play.example.org',
  AUTH_SECRET: 'thirty-two characters or even more',
  GOOGLE_CLIENT_ID: 'google',
  GOOGLE_CLIENT_SECRET: 'google secret',
  GITHUB_CLIENT_ID: 'github',
  GITHUB_CLIENT_SECRET: 'github secret',
};

/** Only `docker compose` itself reads these settings. */
const FOR_COMPOSE_ALONE = [
  'COMPOSE_PROFILES',
  'SERVERS',
  'DOMAIN',
  'DATABASE_PASSWORD',
  'SECRETS_FOLDER',
  'BACKUP_FOLDER',
  'BACKUPS_KEPT',
  'IMAGE',
  'REVISION',
  'SOURCE',
];

test('.env.example documents exactly the settings of the server', () => {
  expect([...exampleNames].sort()).toEqual([...SETTING_NAMES, ...FOR_COMPOSE_ALONE].sort());
});

const NOT_PASSED = {
  NODE_ENV: 'The image sets it.',
  HOST: 'The default of production serves the network of the container.',
  PORT: 'The server has the same one in each container. Compose publishes it as PORT.',
  DATA_DIR: 'There is no embedded database.',
  LOCAL_SIGN_IN: 'There is none in production.',
};

test('the compose file passes every setting to the server, except those with a reason', () => {
  const names = [...Object.keys(server.environment), ...Object.keys(NOT_PASSED)];
  expect(names.sort()).toEqual([...SETTING_NAMES].sort());
});

test('.env.example documents every variable of the compose file', () => {
  const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);

  expect(exampleNames).toEqual(expect.arrayContaining(asked));
});

test('.env.example lists the settings that compose does not read', () => {
  const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const [sentence] = /`docker compose` reads [^.]+\./.exec(readFileSync('.env.example', 'utf8'))!;

  expect([...sentence.matchAll(/[A-Z_]{4,}/g)].map(([name]) => name).sort()).toEqual(
    exampleNames.filter((name) => name !== 'COMPOSE_PROFILES' && !asked.includes(name)).sort(),
  );
});

const GOOGLE = { GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '' };
const GITHUB = { GITHUB_CLIENT_ID: '', GITHUB_CLIENT_SECRET: '' };

test.each<[string, Record<string, string>]>([
  ['DATABASE_PASSWORD', { DATABASE_PASSWORD: '' }],
  // The name of the site is enough.
  ['DOMAIN', { PUBLIC_ORIGIN: '' }],
  ['AUTH_SECRET', { AUTH_SECRET: '' }],
  // Either provider is enough.
  ['GITHUB_CLIENT_ID', { GOOGLE_CLIENT_ID: '', GITHUB_CLIENT_ID: '' }],
  ['GOOGLE_CLIENT_SECRET', { GOOGLE_CLIENT_SECRET: '' }],
  ['GOOGLE_CLIENT_SECRET', { ...GITHUB, GOOGLE_CLIENT_SECRET: '' }],
  ['GITHUB_CLIENT_SECRET', { ...GOOGLE, GITHUB_CLIENT_SECRET: '' }],
  ['OIDC_CLIENT_SECRET', { OIDC_CLIENT_ID: 'game' }],
])('compose refuses to start without %s, as with %j, and says how to set it', (asked, missing) => {
  expect(() => environmentWith({ ...FILLED, ...missing })).toThrow(
    new RegExp(`required variable ${asked} is missing a value: set it in .env to \\w+`),
  );
});

const OIDC = { OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's', OIDC_ISSUER: 'https://sso.example.org', OIDC_NAME: 'S' };
const OWN = { ...GOOGLE, ...GITHUB, ...OIDC };
test.each([GOOGLE, GITHUB, OWN])('with one provider, and with %j, compose and the server start', (changed) => {
  const settings = { ...FILLED, ...changed };
  expect(wrongSettingsIn({ ...environmentWith(settings), NODE_ENV: 'production' })).toEqual([]);
});

test('the public address and the trust in the proxy follow from DOMAIN', () => {
  const { PUBLIC_ORIGIN, ...others } = FILLED;
  expect(environmentWith({ ...others, DOMAIN: 'play.example.org' })).toMatchObject({ PUBLIC_ORIGIN, TRUST_PROXY: '1' });
  expect(environmentWith({ ...FILLED, DOMAIN: 'x.example', TRUST_PROXY: '2' })).toMatchObject({
    PUBLIC_ORIGIN,
    TRUST_PROXY: '2',
  });
  expect(environmentWith(FILLED)).toMatchObject({ PUBLIC_ORIGIN, TRUST_PROXY: '' });
});

test('the server accepts the settings that compose passes', () => {
  const env = readEnv({ ...environmentWith(FILLED), NODE_ENV: 'production' });

  expect(env).toMatchObject({
    databaseUrl: 'postgresql://tictactoe_server:c0ffee@database:5432/tictactoe',
    reportedResults: 'accept',
    localSignIn: false,
    gamesPerMinute: 45,
    host: '0.0.0.0',
    port: 3000,
  });
});

test('the server has time to stop in order', () => {
  const { shutdownDelay } = readEnv({ ...environmentWith(FILLED), NODE_ENV: 'production' });
  const [, seconds] = /^(\d+)s$/.exec(server.stop_grace_period!)!;

  expect(shutdownDelay).toBe(5_000);
  expect(Number(seconds) * 1_000).toBeGreaterThan(shutdownDelay + LIMIT_MS);
});

const dockerfile = readFileSync('Dockerfile', 'utf8');
const trial = parse(readFileSync('docker-compose.trial.yml', 'utf8')) as Pick<typeof compose, 'services' | 'volumes'>;

test.each([compose, trial])('a compose file is the only file: each image has the version of package.json', (file) => {
  for (const { image, build, volumes = [] } of Object.values(file.services)) {
    const [, name] = /^\$\{IMAGE:-tic-tac-toe\}(?:-(\w+))?:1\.0\.0$/.exec(image.replace(version, '1.0.0'))!;
    // With the sources, its target builds it.
    if (build) expect(build).toMatchObject({ context: '.', target: name ?? 'server' });
    expect(dockerfile).toMatch(new RegExp(` AS ${name ?? 'server'}$`, 'm'));
    const sources = volumes.map((volume) => interpolate(volume, {}).split(':')[0]);
    expect(Object.keys(file.volumes)).toEqual(expect.arrayContaining(sources));
  }
  expect(JSON.stringify(file)).not.toMatch(/"(configs|env_file|extends|include)"/);
});

test('each base image has an exact version and its digest, and Node that of the lock', () => {
  const stages = [...dockerfile.matchAll(/ AS (\w+)$/gm)].map(([, stage]) => stage);
  const bases = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, base]) => base!);
  const [, node] = /^ARG NODE=(\S+)$/m.exec(dockerfile)!;

  for (const base of bases.filter((name) => !stages.includes(name)))
    expect(base.replace('$NODE', node!)).toMatch(/^[\w/]+:v?\d+\.\d+(\.\d+)?(-slim)?@sha256:\w{64}$/);
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, object>;
  expect(new Set(Object.values(optionalDependencies!))).toEqual(new Set([node!.split('-')[0]]));
  expect(readFileSync('.nvmrc', 'utf8').trim()).toBe(node!.split('.')[0]);
});

test('a service begins when those are healthy that it needs, and each has a health check', () => {
  for (const { depends_on = {} } of Object.values(compose.services))
    expect(Object.values(depends_on)).toEqual(Object.keys(depends_on).map(() => ({ condition: 'service_healthy' })));
  for (const { healthcheck } of [database, backup, caddy, ...ofMetrics]) expect(healthcheck!.test[0]).toMatch(/^CMD/);
  // The server's stands in its image, for every orchestrator.
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  expect([caddy, prometheus, grafana].map(({ depends_on }) => Object.keys(depends_on!))).toEqual([
    ['server'],
    ['alertmanager'],
    ['prometheus'],
  ]);
});

test('the log of each service has a limit', () => {
  const logging = { driver: 'local', options: { 'max-size': '100m', 'max-file': '10' } };
  for (const service of Object.values(compose.services)) expect(service.logging).toEqual(logging);
});

test('an umask that closes a checkout to others closes no file of an image', () => {
  const [, ...stages] = dockerfile.split(/^FROM /m);
  const ofImages = stages.filter((stage) => !/ AS build\n/.test(stage)).join('');
  expect(ofImages.match(/^COPY (?!--from|--chmod).*/gm)).toBeNull();
  expect(dockerfile.match(/tar -xf .*/g)).toEqual(
    [/image$/, /trial$/].map((folder) => expect.stringMatching(new RegExp(`chmod -R a\\+rX ${folder.source}`))),
  );
});

test('the service `backup` has the client programs of the database, reaches nothing else, and knows no other secret', () => {
  expect(backup.image).toBe(database.image);
  expect(backup.networks).toEqual(['database']);
  expect(environmentOf(backup, FILLED)).toEqual({
    KEEP: '14',
    PGHOST: 'database',
    PGUSER: 'tictactoe_server',
    PGDATABASE: database.environment.POSTGRES_DB,
    PGPASSWORD: 'c0ffee',
  });
  expect(backup.command).toEqual(['backup']);
  expect(dockerfile).toMatch(/^COPY --chmod=755 docker\/backup \/usr\/local\/bin\/$/m);
  expect(statSync('docker/backup').mode & 0o111).toBe(0o111);
  // The volume gets its owner from the folder of the image.
  expect(interpolate(backup.volumes![0]!, {})).toBe(`backups:${backup.working_dir}`);
  expect(interpolate(backup.volumes![0]!, { BACKUP_FOLDER: '/disk' })).toBe(`/disk:${backup.working_dir}`);
  expect(compose.volumes).toHaveProperty('backups');
});

test.each([...Object.entries(compose.services), ...Object.entries(trial.services)])(
  '%s has limits and no unneeded rights',
  (_name, service) => {
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
    // A service does not start with more CPUs than the machine has.
    expect(service.cpus).toBe(1);
    expect([service.cap_drop, service.cap_add]).toEqual([['ALL'], undefined]);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.read_only).toBe(true);
  },
);

test('no service runs as root', () => {
  for (const { user } of [database, backup, trial.services.database]) expect(user).toBe('postgres');
  expect(trial.services.server.user).toBe('node');
  for (const { user } of [caddy, ...ofMetrics]) expect(user).toMatch(/^[1-9]/);
  expect(dockerfile).toMatch(/^USER node$/m);
});

test('other machines reach nothing except through a proxy on this one', () => {
  expect(server.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
  expect(database.ports).toBeUndefined();
});

test.each<[Record<string, string>, string, string]>([
  [{}, '1', '3000'],
  [{ SERVERS: '', PORT: '' }, '1', '3000'],
  [{ PORT: '4000' }, '1', '4000'],
  // Two servers cannot have the same port.
  [{ SERVERS: '4' }, '4', '13000-13099'],
  [{ SERVERS: '4', PORT: '3100-3103' }, '4', '3100-3103'],
])('%j means %s servers on port %s of this machine', (settings, servers, port) => {
  expect(interpolate(server.deploy!.replicas, settings)).toBe(servers);
  expect(interpolate(server.ports![0]!, settings)).toBe(`127.0.0.1:${port}:3000`);
});

test('the profile `metrics` adds Prometheus, Alertmanager and Grafana, which only this machine reaches', () => {
  expect(ofMetrics).toHaveLength(3);
  for (const { profiles } of ofMetrics) expect(profiles).toEqual(['metrics']);
  expect(compose.networks.metrics).toEqual({ internal: true });
  expect(server.networks).toContain('metrics');
  expect(prometheus.networks).toEqual(['metrics']);
  expect(prometheus.ports).toBeUndefined();
  expect(alertmanager.ports).toEqual(['127.0.0.1:9093:9093']);
  expect(grafana.ports).toEqual(['127.0.0.1:3001:3000']);
});

test('Prometheus asks each server for metrics, and sends its alerts to Alertmanager', () => {
  const { METRICS_PORT } = environmentWith(FILLED);
  interface Targets {
    static_configs: { targets: string[] }[];
    dns_sd_configs: { names: string[]; type: string; port: number }[];
  }
  const { scrape_configs, alerting } = parse(readFileSync('ops/prometheus.yml', 'utf8')) as {
    scrape_configs: Targets[];
    alerting: { alertmanagers: Targets[] };
  };

  expect(scrape_configs[0]!.dns_sd_configs).toEqual([
    expect.objectContaining({ names: ['server'], type: 'A', port: Number(METRICS_PORT) }),
  ]);
  expect(alerting.alertmanagers[0]!.static_configs[0]!.targets).toEqual(['alertmanager:9093']);
  expect(prometheus.networks!.filter((name) => alertmanager.networks!.includes(name))).toEqual(['metrics']);
});

test('each severity of an alert has a route to a receiver', () => {
  const { route, receivers } = parse(readFileSync('ops/alertmanager.yml', 'utf8')) as {
    route: { receiver: string; routes: { matchers: string[]; receiver: string }[] };
    receivers: { name: string }[];
  };
  const routed = route.routes.map(({ matchers }) => matchers.join()).sort();
  const severities = readFileSync('ops/prometheus-rules.yml', 'utf8').matchAll(/severity: (\w+)/g);
  const paging = [...new Set([...severities].map(([, name]) => name!))].filter((name) => name !== 'warning');

  expect(routed).toEqual(paging.map((name) => `severity = ${name}`).sort());
  expect(receivers.map(({ name }) => name)).toEqual(
    expect.arrayContaining([route.receiver, ...route.routes.map(({ receiver }) => receiver)]),
  );
});

test('a file of a release names the others as they lie beside it', () => {
  for (const file of ['.env.example', 'ops/compose-secrets.yml']) {
    const text = released(readFileSync(file, 'utf8'));
    expect(text).toContain('COMPOSE_FILE=docker-compose.yml:compose-secrets.yml ');
    expect(text).not.toMatch(/ops\/|\.env\.example/);
  }
});

test('with SECRETS_FOLDER, ops/compose-secrets.yml replaces every secret by a file', () => {
  const { SECRETS_FOLDER, PUBLIC_ORIGIN, GOOGLE_CLIENT_ID, GITHUB_CLIENT_ID } = {
    ...FILLED,
    SECRETS_FOLDER: './files',
  };
  const base = environmentWith({ SECRETS_FOLDER, PUBLIC_ORIGIN, GOOGLE_CLIENT_ID, GITHUB_CLIENT_ID });
  const { services, secrets } = parse(readFileSync('ops/compose-secrets.yml', 'utf8')) as {
    services: Record<string, Service>;
    secrets: Record<string, { file: string }>;
  };
  for (const [name, { environment, secrets: mounted }] of Object.entries(services)) {
    const files = Object.entries(environment).filter(([key]) => key.endsWith('_FILE'));
    expect(files.map(([, path]) => path).sort()).toEqual(mounted!.map((file) => `/run/secrets/${file}`).sort());
    for (const [key] of files) expect(environment[key.slice(0, -'_FILE'.length)]).toBe('');
    expect(Object.keys(compose.services)).toContain(name);
  }
  expect(Object.values(secrets).map(({ file }) => interpolate(file, { SECRETS_FOLDER }))).toEqual(
    Object.keys(secrets).map((name) => `./files/${name}`),
  );
  const problems = wrongSettingsIn({ ...base, ...services.server!.environment, NODE_ENV: 'production' });
  expect(problems.flatMap((problem) => /^(\w+)_FILE cannot be read/.exec(problem)?.[1] ?? []).sort()).toEqual([
    'AUTH_SECRET',
    'DATABASE_URL',
    'GITHUB_CLIENT_SECRET',
    'GOOGLE_CLIENT_SECRET',
    'OIDC_CLIENT_SECRET',
  ]);
});
