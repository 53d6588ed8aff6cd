import { readFileSync } from 'node:fs';

/** Settings that may stand in a file: `AUTH_SECRET_FILE` names the file with the value of `AUTH_SECRET`. */
const SECRETS = [
  'AUTH_SECRET',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'GOOGLE_CLIENT_SECRET',
  'GITHUB_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Replaces the names of files by their content, without white space at both ends. Docker and Kubernetes mount secrets as
 * files, so that no list of processes or containers shows them.
 */
export function withSecretFiles(source: Variables): { readonly values: Variables; readonly problems: string[] } {
  const values = { ...source };
  const problems: string[] = [];
  for (const name of SECRETS) {
    const file = source[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (source[name]?.trim()) {
      problems.push(`${name} and ${name}_FILE are both set: remove one of them`);
      continue;
    }
    try {
      values[name] = readFileSync(file, 'utf8').trim();
      if (!values[name]) problems.push(`${name}_FILE names an empty file: ${file}`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push(`${name}_FILE cannot be read (${code}): ${file}`);
    }
  }
  return { values, problems };
}
