import { isIP } from 'node:net';
import { resolve } from 'node:path';
import proxyAddr from '@fastify/proxy-addr';
import { z } from 'zod';
import { OperatorError } from '../base/errors.js';
import { isUuid } from '../base/uuid.js';
import { databaseSettings, MIN_POOL } from './database-settings.js';
import { nearMisses, type Variables } from './near-misses.js';
import { CREDENTIALS, SECRETS, withSecretFiles } from './secret-files.js';

export interface ProviderCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Why a port cannot be listened on, and what an operator can do about it. The names are of the two settings. */
export function cannotListen({ code, message }: NodeJS.ErrnoException, port: string, host: string): OperatorError {
  const advice: Partial<Record<string, string>> = {
    EADDRINUSE: `another program already listens on this port. Stop that program, or set ${port} to another number.`,
    EACCES: `its user may not listen on this port. Set ${port} to 1024 or more, and let a proxy pass the requests on.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set it to one that is, or to 0.0.0.0 for all of them.`,
    ENOTFOUND: `${host} is not the name of a machine. Set it to an address of this one, or to 0.0.0.0 for all of them.`,
  };
  return new OperatorError(`The server cannot start: ${advice[code ?? ''] ?? `${port} cannot be used: ${message}`}`);
}

// What is wrong with a setting stands behind its name.
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of: ${values.join(', ')}` });

const text = (isValid: (value: string) => boolean, problem: string) => z.string().refine(isValid, problem).optional();

/** A setting that is a whole number in these bounds. */
const wholeNumber = <Fallback extends number | undefined>(fallback: Fallback, min: number, max: number) =>
  text(
    (value) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max,
    `must be a whole number from ${min} to ${max}`,
  ).transform((value) => (value === undefined ? fallback : Number(value)));

const list = z.string().transform((value) => value.split(',').map((entry) => entry.trim()));

const isHttps = (value: string) => /^https:\/\//i.test(value) && URL.canParse(value);

const isOrigin = (value: string) => /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value;

/** Each part is decoded, in which a `%` begins the code of a character. Without a host, `?host=` names the folder of a socket. */
const isDatabaseUrl = (value: string) =>
  holds(() => {
    const { protocol, username, password, hostname, pathname } = new URL(value);
    // The result is used, because the bundler removes a call whose result nobody uses.
    const decoded = decodeURIComponent(username + password + hostname + pathname);
    return /^postgres(ql)?:$/.test(protocol) && !decoded.includes('\0');
  });

const areProxies = (entries: string[]) =>
  holds(() => {
    proxyAddr.compile(entries);
    return entries.every((entry) => isIP(entry.split('/')[0]!) > 0 || /^[a-z]+$/.test(entry));
  });

/** A check that throws does not hold. */
function holds(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

/** Without a user and a password, which would stand in the log. */
const isIssuer = (value: string) =>
  /^\w+:\/\/[^@?#\s/]+(\/[^?#\s]*)?$/.test(value) &&
  value.length <= 255 &&
  holds(() => isHttps(value) || isLoopback(new URL(value).origin));

const areHosts = (hosts: string[]) => hosts.every((host) => /^(\*\.)?[a-z\d-]+(\.[a-z\d-]+)+$/.test(host));

/** Google and GitHub number their accounts. Any other provider may name them in large and small letters. */
const IDENTITY = /^(?:(google|github):([1-9]\d{0,29})|(oidc):([\x21-\x7e]{1,255}))$/;
const MODERATOR_ADVICE =
  'an entry must be the id of a player, or google: or github: and the number of the account there, or oidc: and its subject (ttt player show)';

/** Players by id, and by identity. Each wrong entry gets a sentence of its own. */
const moderators = z
  .string()
  .default('')
  .transform((value, context) => {
    const entries = list.parse(value).map((entry) => (/^oidc:/i.test(entry) ? entry : entry.toLowerCase()));
    for (const entry of entries.filter((one) => one && !isUuid(one) && !IDENTITY.test(one))) {
      context.addIssue({ code: 'custom', message: `has the entry "${entry}": ${MODERATOR_ADVICE}` });
    }
    const identities = entries.flatMap((entry) => {
      const [provider, subject] = IDENTITY.exec(entry)?.slice(1).filter(Boolean) ?? [];
      return subject ? [{ provider: provider as 'google' | 'github' | 'oidc', subject }] : [];
    });
    return { ids: entries.filter(isUuid), identities };
  });

const variables = z.object({
  PORT: wholeNumber(3000, 0, 65535),
  HOST: z.string().optional(),
  NODE_ENV: oneOf(['development', 'production', 'test']).default('development'),
  PUBLIC_ORIGIN: text(
    isOrigin,
    'must be an origin such as https://play.example.org, without a path or a trailing slash',
  ),
  DATABASE_URL: z
    .string()
    // libpq lets a socket have no host, `URL` does not.
    .transform((value) => value.replace(/^([^/]+:\/\/[^/]+@)\//, '$1localhost/'))
    .refine(
      isDatabaseUrl,
      'must be an address such as postgresql://user:password@host:5432/database; write % in its parts as %25, @ as %40, # as %23, / as %2F',
    )
    .refine(
      (value) => !/\bsslrootcert=system(?=&|$)/.test(value) || !/\bsslmode=(?!verify-full\b)/.test(value),
      'must have sslmode=verify-full, because it has sslrootcert=system: anybody has a certificate of a public authority',
    )
    .optional(),
  DATA_DIR: z.string().default('./data'),
  AUTH_SECRET: list
    .refine(
      (secrets) => secrets.every((secret) => secret.length >= 32 && new Set(secret).size > 1),
      'must have at least 32 characters, not all of them the same (generate one with: openssl rand -base64 48); separate an old one with a comma',
    )
    .optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  OIDC_ISSUER: text(isIssuer, 'must be the https address that the provider calls its issuer, without ? and #'),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: text((value) => /^[^\p{C}]{1,30}$/u.test(value), 'must be a name of at most 30 visible characters'),
  OIDC_PICTURE_HOSTS: list.refine(areHosts, 'must be a list of hosts such as a.example.org,*.example.org').default([]),
  LOCAL_SIGN_IN: oneOf(['auto', 'off']).default('auto'),
  REPORTED_RESULTS: oneOf(['accept', 'reject']).default('accept'),
  GAMES_PER_DAY: wholeNumber(100, 0, 1_000_000),
  GAMES_PER_MINUTE: wholeNumber(45, 0, 1_000_000),
  SIGN_INS_PER_MINUTE: wholeNumber(20, 0, 1_000_000),
  REQUESTS_PER_MINUTE: wholeNumber(6000, 0, 1_000_000),
  CORS_ORIGINS: list
    .refine(
      (origins) => origins.every(isOrigin),
      'must be a comma-separated list of origins such as https://app.example.org',
    )
    .default([]),
  TRUST_PROXY: z
    .string()
    .refine(
      (value) => /^\d{1,2}$/.test(value) || areProxies(list.parse(value)),
      'must be a number of proxies or a comma-separated list of their addresses and networks, such as 10.0.0.0/8',
    )
    .transform((value) => (/^\d+$/.test(value) ? Number(value) : value))
    .optional(),
  DATABASE_POOL_SIZE: wholeNumber(10, MIN_POOL, 1_000),
  DATABASE_STATEMENT_TIMEOUT_MS: wholeNumber(3_500, 1_000, 600_000),
  // The longest delay that a supervisor is likely to allow.
  SHUTDOWN_DELAY_MS: wholeNumber(undefined, 0, 120_000),
  MODERATORS: moderators,
  LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
  METRICS_PORT: wholeNumber(0, 0, 65535),
  METRICS_HOST: z.string().default('127.0.0.1'),
  SECURITY_CONTACT: text(
    (value) => /^(mailto:[\x21-\x7e]+@[\x21-\x7e]+|https:\/\/[\x21-\x7e]+)$/.test(value),
    'must be an address such as mailto:security@example.org or https://example.org/security',
  ),
  PRIVACY_URL: text(isHttps, 'must be an address such as https://example.org/privacy'),
});

export const SETTING_NAMES: readonly string[] = Object.keys(variables.shape);

const NAMES = [...SETTING_NAMES, ...SECRETS.map((name) => `${name}_FILE`)];
const REQUIRED_IN_PRODUCTION = ['AUTH_SECRET', 'DATABASE_URL', 'PUBLIC_ORIGIN'];

export const isLoopback = (origin: string) => /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(origin);

/** Whether browsers give a page of this origin the hashes that a sign-in needs: over https, and from their own computer. */
export const isSecureContext = (publicOrigin: string) =>
  /^https:|^http:\/\/[^/]*\.localhost(:\d+)?$/.test(publicOrigin) || isLoopback(publicOrigin);

/**
 * Parses the settings. An empty value counts as absent, because `.env.example` leaves most values empty. A secret may
 * stand in a file (`AUTH_SECRET_FILE`).
 * @throws {OperatorError} with every wrong or missing setting
 */
export function readEnv(source: Variables): Env {
  const files = withSecretFiles(source);
  const present = Object.fromEntries(
    Object.entries(files.values).filter(([name, value]) => SETTING_NAMES.includes(name) && value?.trim()),
  );
  const parsed = variables.safeParse(present);
  const invalid = parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`);
  const problems = [...files.problems, ...nearMisses(source, NAMES), ...invalid, ...missingIn(present)];
  if (!parsed.success || problems.length > 0) {
    throw new OperatorError(['The server cannot start with these settings:', ...problems].join('\n  - '));
  }

  return Object.freeze(Object.assign(new Env(), settingsOf(parsed.data)));
}

function settingsOf(values: z.output<typeof variables>) {
  const production = values.NODE_ENV === 'production';
  const publicOrigin = values.PUBLIC_ORIGIN ?? `http://localhost:${values.PORT}`;
  const google = credentials(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET);
  const github = credentials(values.GITHUB_CLIENT_ID, values.GITHUB_CLIENT_SECRET);
  const { OIDC_ISSUER: issuer, OIDC_NAME: name, OIDC_PICTURE_HOSTS: pictureHosts } = values;
  const client = credentials(values.OIDC_CLIENT_ID, values.OIDC_CLIENT_SECRET);
  const oidc = client && { ...client, issuer: issuer!, name: name!, pictureHosts };
  return {
    port: values.PORT,
    host: values.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    production,
    /** Scheme, host and port that browsers use, without a trailing slash. */
    publicOrigin,
    /** Without it, the server uses the embedded database in `dataDir`. */
    databaseUrl: values.DATABASE_URL,
    database: databaseSettings(values.DATABASE_POOL_SIZE, values.DATABASE_STATEMENT_TIMEOUT_MS),
    /** From SIGTERM until the server accepts no more connections, in milliseconds. */
    shutdownDelay: values.SHUTDOWN_DELAY_MS ?? (production ? 5_000 : 0),
    dataDir: resolve(values.DATA_DIR),
    /** The first one signs, all of them verify. Without any, the server generates one in `dataDir`. */
    authSecrets: values.AUTH_SECRET as readonly string[] | undefined,
    google,
    github,
    oidc,
    /** Whether the local identity provider replaces Google and GitHub. */
    localSignIn:
      values.LOCAL_SIGN_IN === 'auto' && !production && !(google ?? github ?? oidc) && isLoopback(publicOrigin),
    /** Whether results count that nobody has verified. They share the limits of the verified games. */
    reportedResults: values.REPORTED_RESULTS,
    /** How many games of a player count in a UTC day; 0 means no limit. */
    gamesPerDay: values.GAMES_PER_DAY,
    /** Limits per minute; 0 means no limit. */
    gamesPerMinute: values.GAMES_PER_MINUTE,
    signInsPerMinute: values.SIGN_INS_PER_MINUTE,
    requestsPerMinute: values.REQUESTS_PER_MINUTE,
    corsOrigins: values.CORS_ORIGINS as readonly string[],
    /** The proxies to trust: false, a number of hops, or a list of addresses. */
    trustProxy: values.TRUST_PROXY ?? (false as const),
    logLevel: values.LOG_LEVEL,
    /** Without it, there are no metrics. */
    metricsPort: values.METRICS_PORT || undefined,
    metricsHost: values.METRICS_HOST,
    /** Players who see the page of moderation: ids, and identities. */
    moderators: values.MODERATORS,
    /** A mailto: or https: URI for reports of vulnerabilities, and of names: the page links to it. */
    securityContact: values.SECURITY_CONTACT,
    /** The page links to it. */
    privacyUrl: values.PRIVACY_URL && new URL(values.PRIVACY_URL).href,
  };
}

const Settings = class {} as new () => Readonly<ReturnType<typeof settingsOf>>;

/** The validated settings. No other file reads environment variables. */
export class Env extends Settings {}

export type OidcSettings = NonNullable<Env['oidc']>;

function missingIn(present: Variables): string[] {
  const sets = CREDENTIALS.map((names) => new Intl.ListFormat('en-GB').format(names));
  // A part of a client is a mistake in development too.
  const parts = CREDENTIALS.flatMap((names, at) => {
    const missing = names.filter((name) => !present[name]);
    const said = missing.map((name) => `${name} is missing: set ${sets[at]}, or none of them`);
    return missing.length < names.length ? said : [];
  });
  if (present.NODE_ENV !== 'production') return parts;
  const missing = REQUIRED_IN_PRODUCTION.filter((name) => !present[name]);
  const hasCredential = CREDENTIALS.flat().some((name) => present[name]);
  return [
    ...missing.map((name) => `${name} is missing: it is required in production`),
    ...parts,
    ...(hasCredential ? [] : [`No provider is set up: production requires ${sets.join('; or ')}`]),
  ];
}

function credentials(clientId?: string, clientSecret?: string): ProviderCredentials | undefined {
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}
