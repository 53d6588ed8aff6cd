/** The parts of a service in a compose file that the tests read. */
export interface Service {
  image: string;
  deploy?: { replicas: string };
  build?: string | { context: string; target?: string; args?: Record<string, string> };
  command?: string[];
  profiles?: string[];
  networks?: string[];
  environment: Record<string, string>;
  secrets?: string[];
  depends_on?: Record<string, { condition: string; required?: boolean }>;
  healthcheck?: { test: string[] };
  volumes?: string[];
  ports?: string[];
  user?: string;
  working_dir?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  cpus?: number;
  stop_grace_period?: string;
  logging?: object;
}

/** Replaces ${NAME}, ${NAME:-default}, ${NAME:+text} and ${NAME:?sentence} as `docker compose` does. A default or a text may have some of them within, two levels deep. */
export function interpolate(value: string, settings: Record<string, string>): string {
  const variable = /\$\{(\w+)(?::([-?+])((?:\$\{(?:\$\{[^}]*\}|[^}])*\}|[^}])*))?\}/g;
  return value.replace(variable, (_match, name: string, operator: string, rest: string = '') => {
    if (operator === '+') return settings[name] ? interpolate(rest, settings) : '';
    if (settings[name]) return settings[name];
    if (operator === '?') throw new Error(`required variable ${name} is missing a value: ${rest}`);
    return interpolate(rest, settings);
  });
}

/** The environment of a service with these settings in .env. */
export const environmentOf = ({ environment }: Service, settings: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, interpolate(value, settings)]));

/** Replaces what a test must replace in a configuration. */
export function changed(text: string, changes: readonly (readonly [string, string])[]): string {
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`The configuration does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}
