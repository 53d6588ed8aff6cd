import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { Variables } from './near-misses.js';

/** The id and the secret of the client at each provider, and what else belongs to them. */
export const CREDENTIALS = ['GOOGLE', 'GITHUB', 'OIDC'].map((name) => {
  const more = name === 'OIDC' ? ['OIDC_ISSUER', 'OIDC_NAME'] : [];
  return [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`, ...more] as const;
});

/** Settings that may stand in a file: `AUTH_SECRET_FILE` names the file with the value of `AUTH_SECRET`. */
export const SECRETS = ['AUTH_SECRET', 'DATABASE_URL', ...CREDENTIALS.map(([, secret]) => secret)];

/**
 * Replaces the names of files by their content, without white space at both ends. Docker mounts secrets as
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
      const bytes = readFileSync(file);
      // This also removes a byte-order mark.
      values[name] = bytes.toString().trim();
      if (!isUtf8(bytes) || bytes.includes(0)) {
        const encoding = bytes.includes(0) ? 'UTF-16' : 'another encoding';
        problems.push(`${name}_FILE names a file in ${encoding}, save it in UTF-8: ${file}`);
      }
      if (!values[name] && !isUnused(name, source)) problems.push(`${name}_FILE names an empty file: ${file}`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push(`${name}_FILE cannot be read (${code}): ${file}`);
    }
  }
  return { values, problems };
}

/** ops/compose-secrets.yml names a file for each provider: that of one without an id may be empty. */
function isUnused(secret: string, source: Variables): boolean {
  return CREDENTIALS.some(([id, name]) => name === secret && !source[id]?.trim());
}
