import { type DataSource, QueryFailedError, type QueryRunner } from 'typeorm';
import type { Command } from 'commander';
import type { Env } from '../settings/env.js';
import { Clock } from '../base/clock.js';
import { discover, TOLERANCE_SECONDS, whyOf } from '../auth/sign-in/providers/oidc.js';
import { measureOffset } from '../database/database-clock.service.js';
import { adviceAfter } from '../database/errors.js';
import { schemaState, TABLES } from '../database/migrations.js';
import { TRY_TO_WRITE } from '../database/readiness.service.js';
import { recount } from '../stats/recount.js';
import { withDatabase } from './session.js';
import type { Terminal } from './terminal.js';

/** The result of one check. A problem has advice. */
interface Finding {
  readonly check: string;
  readonly said: string;
  readonly advice?: string;
}

/** 32 random hexadecimal digits have at least 8 different ones, but for one secret in ten million. */
const MIN_DIFFERENT = 8;
const MIN_PASSWORD = 12;
/** So long that fewer than one in a million random secrets, hexadecimal or base64, contain one. */
const WORDS = /secret|password|passphrase|change|example|default|tic.?tac|qwerty|1234567|abcdefg/i;

/** Settings with which the server starts, but should not serve the public. */
export function settingProblems(env: Env): Finding[] {
  const problems: Finding[] = [];
  const add = (check: string, said: string, advice: string) => problems.push({ check, said, advice });
  for (const [at, secret] of (env.authSecrets ?? []).entries()) {
    if (!looksRandom(secret)) {
      const which = env.authSecrets!.length > 1 ? `, number ${at + 1},` : '';
      add('secrets', `AUTH_SECRET${which} does not look random`, 'Generate one: openssl rand -base64 48');
    }
  }
  if (!env.production) return problems;
  const { password } = new URL(env.databaseUrl!);
  if (password && password.length < MIN_PASSWORD) {
    add('secrets', 'the password in DATABASE_URL is short', 'Generate one: openssl rand -hex 24');
  }
  if (env.google && env.google.clientSecret === env.github?.clientSecret) {
    add('secrets', 'both providers have the same client secret', 'Copy each from its own console.');
  }
  if (env.publicOrigin.startsWith('http:')) {
    add('settings', 'PUBLIC_ORIGIN is not encrypted', 'Put a TLS proxy in front, and use https.');
  }
  return problems;
}

function looksRandom(secret: string): boolean {
  return new Set(secret).size >= MIN_DIFFERENT && !WORDS.test(secret) && !/\s/.test(secret);
}

const CLOCK_LIMIT_MS = 1_000;
/** How many players a short check recounts. */
const SAMPLE = 500;

const OURS = `'{${TABLES.join()}}'`;

type Check = (checked: Installation) => Promise<Finding[]>;

/** What the checks look at. */
interface Installation {
  readonly env: Env;
  readonly database: DataSource;
  readonly full: boolean;
}

/** Looks at settings and database, and leaves nothing changed. */
async function runChecks(checked: Installation): Promise<Finding[]> {
  const problems = settingProblems(checked.env);
  const findings = problems.length > 0 ? problems : [{ check: 'settings', said: 'valid, and the secrets look random' }];
  const checks = { database: server, writes, pooler, clock, provider, schema, collations, roles: owners, others, sums };
  for (const [check, look] of Object.entries(checks)) {
    const found = await look(checked).catch((error: unknown) => {
      if (!(error instanceof QueryFailedError)) throw error;
      const advice = adviceAfter(error) ?? 'Mend the other problems first. If none is left, restore a backup.';
      return [{ check, said: error.message, advice }];
    });
    findings.push(...found);
  }
  return findings;
}

const server: Check = async ({ env, database }) => {
  const [row] = await database.query<[{ version: string; superuser: boolean }]>(
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
       (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser`,
  );
  const kind = env.databaseUrl ? 'PostgreSQL' : 'the embedded database, PostgreSQL';
  const findings: Finding[] = [{ check: 'database', said: `${kind} ${row.version}` }];
  if (row.superuser && env.production) {
    const advice = 'Make another for DATABASE_URL: CREATE ROLE … LOGIN; ALTER DATABASE … OWNER TO …';
    findings.push({ check: 'database', said: 'the role of the server is a superuser', advice });
  }
  return findings;
};

const writes: Check = async ({ database }) => {
  await database.query(TRY_TO_WRITE);
  return [{ check: 'writes', said: 'the database accepts them' }];
};

/** PgBouncer may give a connection another session for each transaction. That one knows neither our SET nor our statements. */
const pooler: Check = async ({ env, database }) => {
  if (!env.databaseUrl) return [];
  const [one, other] = [database.createQueryRunner(), database.createQueryRunner()];
  const sessionOf = async (connection: QueryRunner) => {
    const [{ pid }] = (await connection.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
    return pid;
  };
  try {
    const first = await sessionOf(one);
    await other.startTransaction();
    const sessions = [await sessionOf(other), await sessionOf(one)];
    await other.rollbackTransaction();
    if (sessions[0] !== first && sessions[1] === first) return [];
  } finally {
    await Promise.all([one.release(), other.release()]);
  }
  const advice = 'Set pool_mode = session in PgBouncer.';
  return [{ check: 'pooler', said: 'it gives a connection to others between two transactions', advice }];
};

const clock: Check = async ({ database }) => {
  const { offset, error } = await measureOffset(database, new Clock());
  const said = `${Math.abs(offset)} ms between this machine and the database`;
  const isFar = Math.abs(offset) > CLOCK_LIMIT_MS + error;
  return [{ check: 'clock', said, ...(isFar && { advice: 'Synchronise both machines with NTP.' }) }];
};

const provider: Check = async ({ env: { oidc } }) => {
  if (!oidc) return [];
  const look = () => fetch(oidc.issuer, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5_000) });
  const found = await discover(oidc).then(look).catch(whyOf);
  const problem = 'OIDC_ISSUER must be the issuer that its document names, and answer to this machine.';
  if (typeof found === 'string') return [{ check: 'provider', said: `${oidc.name}: ${found}`, advice: problem }];
  const theirs = found.headers.get('date');
  const seconds = theirs ? Math.round((Date.parse(theirs) - new Clock().now().getTime()) / 1000) : 0;
  const advice = Math.abs(seconds) > TOLERANCE_SECONDS ? 'Synchronise both machines with NTP.' : undefined;
  return [{ check: 'provider', said: `${oidc.name} answers, and its clock differs by ${seconds} s`, advice }];
};

const schema: Check = async ({ database }) => {
  const { pending, unknown } = await schemaState(database);
  const problems: Finding[] = [];
  const add = (said: string, advice: string) => problems.push({ check: 'schema', said, advice });
  if (pending.length > 0) add(`migrations are missing: ${pending.join(', ')}`, 'Apply them: ttt migrate');
  if (unknown.length > 0) {
    const said = `a later version has migrated the database: ${unknown.join(', ')}`;
    add(said, 'Run the servers and this command in that version.');
  }
  const invalid = await database.query<{ name: string }[]>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid AND indrelid::regclass::text = ANY (${OURS})`,
  );
  for (const { name } of invalid) {
    add(`the index ${name} is not complete`, 'Drop it, and start a server, or REINDEX INDEX CONCURRENTLY.');
  }
  return problems.length > 0 ? problems : [{ check: 'schema', said: 'up to date' }];
};

/** PostgreSQL sorts as ICU or the operating system does. Those of another image may put names in another order. */
const COLLATIONS = `SELECT DISTINCT 'collations' AS check, format('%s had version %s and has %s', collname, stored, actual) AS said,
    format('As a superuser: REINDEX DATABASE %I; ALTER %s VERSION;', datname, CASE collname WHEN 'default'
      THEN format('DATABASE %I REFRESH COLLATION', datname) ELSE format('COLLATION %s REFRESH', used.oid::regcollation) END) AS advice
  FROM pg_index, pg_collation AS used, pg_database AS own,
    coalesce(pg_collation_actual_version(used.oid), CASE collname WHEN 'default' THEN OWN END) AS actual,
    coalesce(collversion, to_jsonb(own) ->> 'datcollversion') AS stored
  WHERE indrelid::regclass::text = ANY (${OURS}) AND used.oid = ANY (indcollation) AND datname = current_database() AND stored <> actual`;
const collations: Check = ({ database }) => {
  const version = parseInt(database.driver.version!) < 15 ? 'NULL' : 'pg_database_collation_actual_version(own.oid)';
  return database.query<Finding[]>(COLLATIONS.replace('OWN', version));
};

const owners: Check = async ({ database }) => {
  const foreign = await database.query<{ name: string; owner: string }[]>(
    `SELECT pg_class.oid::regclass::text AS name, relowner::regrole::text AS owner FROM pg_class
     WHERE pg_class.oid::regclass::text = ANY (${OURS}) AND NOT pg_has_role(relowner, 'USAGE')
     UNION ALL SELECT oid::regprocedure::text, proowner::regrole::text FROM pg_proc
     WHERE oid = to_regprocedure('refuse_change_of_audit()') AND NOT pg_has_role(proowner, 'USAGE') ORDER BY 1`,
  );
  if (foreign.length === 0) return [{ check: 'roles', said: 'the role of the server owns all tables' }];
  const names = foreign.map(({ name, owner }) => `${name} (${owner})`).join(', ');
  const advice = 'Migrations will fail. As a superuser: ALTER TABLE … OWNER TO the role of DATABASE_URL';
  return [{ check: 'roles', said: `others own ${names}`, advice }];
};

/** What a restore would drop with our tables. Citus has triggers of its own. */
const OTHERS = `SELECT 'others' AS check, 'a restore stops until you drop ' || string_agg(DISTINCT name, ', ') AS said
  FROM pg_class AS own JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = own.oid
      OR refclassid = 'pg_type'::regclass AND refobjid = own.reltype AND deptype = 'n',
    pg_describe_object(classid, objid, 0) AS name
  WHERE own.oid::regclass::text = ANY (${OURS})
    AND (classid <> ALL ('{pg_attrdef,pg_class,pg_type}'::regclass[]) OR classid = 'pg_class'::regclass AND deptype = 'n')
    AND name !~ '^(constraint .*|trigger (audit_append_only|truncate_trigger_[0-9]+)) on table (${TABLES.join('|')})$'
  HAVING count(*) > 0`;
const others: Check = ({ database }) => database.query<Finding[]>(OTHERS);

const sums: Check = async ({ database, full }) => {
  const { players, games, differences } = await recount(database, full ? undefined : SAMPLE);
  const scope = full ? `all ${players} players` : `${players} random players (all: --full)`;
  const said = `the sums of ${games} games of ${scope}`;
  if (differences.length === 0) return [{ check: 'sums', said: `${said} are right` }];
  const named = differences.slice(0, 3).map(({ key }) => key);
  const advice = 'ttt stats rebuild lists all. Are games missing? Restore a backup: --repair trusts the games.';
  return [{ check: 'sums', said: `${said} differ: ${named.join(', ')} …`, advice }];
};

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('check settings, database, clocks, schema and sums; exit code 1 when something needs you')
    .option('--full', 'recount the games of all players instead of a sample')
    .option('--json', 'print JSON')
    .action(({ full = false, json }: { full?: boolean; json?: boolean }) =>
      withDatabase(
        terminal,
        async (session) => {
          if (full && !json) terminal.print(await extentOf(session.database));
          const findings = await runChecks({ ...session, full });
          if (json) terminal.printJson(findings);
          else printFindings(terminal, findings);
          if (findings.some(({ advice }) => advice)) terminal.exitCode = 1;
        },
        'any',
      ),
    );
}

async function extentOf(database: DataSource): Promise<string> {
  const [table] = await database.query<{ games: number }[]>(
    `SELECT greatest(reltuples, 0)::float8 AS games FROM pg_class WHERE oid = to_regclass('games')`,
  );
  return `Recounts all games, about ${table?.games ?? 0}. A million take up to a minute.`;
}

function printFindings(terminal: Terminal, findings: readonly Finding[]): void {
  for (const { check, said, advice } of findings) {
    terminal.print(`${advice ? 'PROBLEM' : 'ok     '}  ${check}: ${said}`);
    if (advice) terminal.print(`         ${advice}`);
  }
  const problems = findings.filter(({ advice }) => advice).length;
  terminal.print(problems > 0 ? `${problems} ${problems === 1 ? 'problem' : 'problems'}` : 'No problem');
}
