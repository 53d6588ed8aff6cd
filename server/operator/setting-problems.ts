import type { Env } from '../settings/env.js';

interface SettingProblem {
  readonly check: string;
  readonly said: string;
  readonly advice: string;
}

/** 32 random hexadecimal digits have at least 8 different ones, but for one secret in ten million. */
const MIN_DIFFERENT = 8;
const MIN_PASSWORD = 12;
/** So long that fewer than one in a million random secrets, hexadecimal or base64, contain one. */
const WORDS = /secret|password|passphrase|change|example|default|tic.?tac|qwerty|1234567|abcdefg/i;

/** Settings with which the server starts, but should not serve the public. */
export function settingProblems(env: Env): SettingProblem[] {
  const problems: SettingProblem[] = [];
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
  if (env.google?.clientSecret === env.github?.clientSecret) {
    add('secrets', 'both providers have the same client secret', 'Copy each from its own console.');
  }
  if (env.reportedResults === 'accept') {
    add('settings', 'REPORTED_RESULTS accepts results that anybody can forge', 'Set REPORTED_RESULTS=reject.');
  }
  if (env.publicOrigin.startsWith('http:')) {
    add('settings', 'PUBLIC_ORIGIN is not encrypted', 'Put a TLS proxy in front, and use https.');
  }
  return problems;
}

function looksRandom(secret: string): boolean {
  return new Set(secret).size >= MIN_DIFFERENT && !WORDS.test(secret) && !/\s/.test(secret);
}
