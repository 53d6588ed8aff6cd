import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readEnv, SETTING_NAMES, type SettingsError } from '../../server/env.js';
import { LIMIT_MS } from '../../server/stop.js';

interface Service {
  image: string;
  profiles?: string[];
  networks?: string[];
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  volumes?: string[];
  ports?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  cpus?: number;
  stop_grace_period?: string;
}

const text = readFileSync('docker-compose.yml', 'utf8');
type Name = 'database' | 'server' | 'prometheus' | 'grafana';
const compose = parse(text) as {
  services: Record<Name, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean } | null>;
};
const { database, server, prometheus, grafana } = compose.services;

/** Replaces ${NAME}, ${NAME:-default} and ${NAME:?sentence} as `docker compose` does. */
function interpolate(value: string, settings: Record<string, string>): string {
  return value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_match, name: string, operator: string, rest: string) => {
    if (settings[name]) return settings[name];
    if (operator === '?') throw new Error(`required variable ${name} is missing a value: ${rest}`);
    return rest ?? '';
  });
}

function environmentWith(settings: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(server.environment).map(([name, value]) => [name, interpolate(value, settings)]),
  );
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

/** Only `docker compose` itself reads this setting, to create the database. */
const FOR_COMPOSE_ALONE = 'DATABASE_PASSWORD';

test('.env.example documents exactly the settings of the server', () => {
  expect([...exampleNames].sort()).toEqual([...SETTING_NAMES, FOR_COMPOSE_ALONE].sort());
});

test('the compose file passes only known settings to the server', () => {
  expect(SETTING_NAMES).toEqual(expect.arrayContaining(Object.keys(server.environment)));
});

test('.env.example documents every variable of the compose file', () => {
  const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);

  expect(exampleNames).toEqual(expect.arrayContaining(asked));
});

test('.env.example lists the settings that compose does not read', () => {
  const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const [sentence] = /`docker compose` reads [^.]+\./.exec(readFileSync('.env.example', 'utf8'))!;

  expect([...sentence.matchAll(/[A-Z_]{4,}/g)].map(([name]) => name).sort()).toEqual(
    exampleNames.filter((name) => !asked.includes(name)).sort(),
  );
});

test.each(Object.keys(FILLED))('compose refuses to start without %s and says how to set it', (name) => {
  expect(() => environmentWith({ ...FILLED, [name]: '' })).toThrow(
    new RegExp(`required variable ${name} is missing a value: set it in .env to \\w+`),
  );
});

test('the server accepts the settings that compose passes', () => {
  const env = readEnv({ ...environmentWith(FILLED), NODE_ENV: 'production' });

  expect(env).toMatchObject({
    databaseUrl: 'postgresql://tictactoe_server:c0ffee@database:5432/tictactoe',
    reportedResults: 'reject',
    localSignIn: false,
    gamesPerMinute: 45,
    host: '0.0.0.0',
    port: 3000,
  });
});

test('compose passes every setting that the server needs in production', () => {
  let problems: readonly string[] = [];
  try {
    readEnv({ NODE_ENV: 'production' });
  } catch (error) {
    problems = (error as SettingsError).problems;
  }
  const needed = problems.map((problem) => problem.split(' ')[0]);

  expect(needed.length).toBeGreaterThan(0);
  expect(Object.keys(server.environment)).toEqual(expect.arrayContaining(needed));
});

test('the server has time to stop in order', () => {
  const { http } = readEnv({ ...environmentWith(FILLED), NODE_ENV: 'production' });
  const [, seconds] = /^(\d+)s$/.exec(server.stop_grace_period!)!;

  expect(http.shutdownDelay).toBe(5_000);
  expect(Number(seconds) * 1_000).toBeGreaterThan(http.shutdownDelay + LIMIT_MS);
});

test('the server waits for the database and uses it as the role from the script', () => {
  expect(server.depends_on?.database).toEqual({ condition: 'service_healthy' });
  expect(database.healthcheck?.test.slice(0, 2)).toEqual(['CMD', 'pg_isready']);
  const { POSTGRES_USER, POSTGRES_DB } = database.environment;
  expect(database.healthcheck?.test).toEqual(
    expect.arrayContaining([`--username=${POSTGRES_USER}`, `--dbname=${POSTGRES_DB}`]),
  );
  expect(environmentWith(FILLED).DATABASE_URL).toBe(
    `postgresql://tictactoe_server:c0ffee@database:5432/${POSTGRES_DB}`,
  );
  expect(POSTGRES_USER).not.toBe('tictactoe_server');
  expect(interpolate(database.environment.POSTGRES_PASSWORD!, FILLED)).toBe('c0ffee');
});

test('a named volume holds the data of PostgreSQL 18', () => {
  expect(database.image).toBe('postgres:18');
  expect(database.volumes).toContain('database:/var/lib/postgresql');
  expect(compose.volumes).toHaveProperty('database');
});

test('the script that creates the role is mounted where the image looks for scripts', () => {
  const [script] = database.volumes!.map((volume) => volume.split(':')).filter(([source]) => source!.startsWith('./'));

  expect(script).toEqual(['./docker/server-role.sql', '/docker-entrypoint-initdb.d/server-role.sql', 'ro']);
  expect(existsSync(script![0]!)).toBe(true);
});

test.each(Object.entries(compose.services))('%s has limits and no unneeded rights', (_name, service) => {
  expect(service.mem_limit).toMatch(/^\d+[mg]$/);
  expect(service.pids_limit).toBeGreaterThan(0);
  // A service does not start with more CPUs than the machine has.
  expect(service.cpus).toBe(1);
  expect([service.cap_drop, service.cap_add]).toEqual([['ALL'], undefined]);
  expect(service.security_opt).toEqual(['no-new-privileges:true']);
  expect(service.read_only).toBe(true);
});

test('no service runs as root', () => {
  expect(database.user).toBe('postgres');
  for (const { user } of [prometheus, grafana]) expect(user).toMatch(/^[1-9]/);
  expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^USER node$/m);
});

test('other machines reach nothing except through a proxy on this one', () => {
  expect(server.ports).toEqual(['127.0.0.1:${PORT:-3000}:3000']);
  expect(database.ports).toBeUndefined();
});

test('the profile `metrics` adds Prometheus and Grafana, which only this machine reaches', () => {
  for (const { profiles, image, volumes } of [prometheus, grafana]) {
    expect(profiles).toEqual(['metrics']);
    expect(image).toMatch(/:v?\d+\.\d+\.\d+/);
    const mounted = volumes!.map((volume) => volume.split(':')[0]!).filter((source) => source.startsWith('./'));
    for (const file of mounted) expect(existsSync(file)).toBe(true);
  }
  expect(compose.networks.metrics).toEqual({ internal: true });
  expect(server.networks).toContain('metrics');
  expect(prometheus.networks).toEqual(['metrics']);
  expect(prometheus.ports).toBeUndefined();
  expect(grafana.ports).toEqual(['127.0.0.1:3001:3000']);
});

test('Prometheus asks the server where it serves metrics', () => {
  const { METRICS_PORT } = environmentWith(FILLED);
  const { scrape_configs } = parse(readFileSync('ops/prometheus.yml', 'utf8')) as {
    scrape_configs: { static_configs: { targets: string[] }[] }[];
  };

  expect(scrape_configs[0]!.static_configs[0]!.targets).toEqual([`server:${METRICS_PORT}`]);
});
