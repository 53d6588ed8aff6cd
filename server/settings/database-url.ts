/** The hosts of a database. */
export interface DatabaseAddress {
  /** One for each host. All have the same user, password, database and parameters. */
  readonly urls: readonly string[];
  /** Whether a connection must lead to a host that accepts writes, because there are several or the address says so. */
  readonly findsPrimary: boolean;
}

const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(\?[^#]*)?$/;

/** Like libpq: `a:5432,b:5432` names several hosts, and `target_session_attrs` says which of them to use. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const [, scheme = '', user = '', hosts = '', path = '', parameters = ''] = PARTS.exec(text) ?? [];
  const names = hosts.split(',');
  const search = new URLSearchParams(parameters);
  const target = search.get('target_session_attrs');
  if (names.length === 1 && target === null) return { urls: [text], findsPrimary: false };
  search.delete('target_session_attrs');
  const rest = search.size > 0 ? `?${search.toString()}` : '';
  return {
    urls: names.map((name) => `${scheme}${user}${name}${path}${rest}`),
    findsPrimary: names.length > 1 || target !== 'any',
  };
}

/** A sentence for the operator, or undefined for a correct address of a standby. */
export function problemOfReplicaUrl(name: string, text: string): string | undefined {
  return parseDatabaseUrl(text).findsPrimary
    ? `${name} must name one standby, without target_session_attrs`
    : problemOfDatabaseUrl(name, text);
}

const TARGETS = ['read-write', 'primary'];

/** A sentence for the operator, or undefined for a correct address. */
export function problemOfDatabaseUrl(name: string, text: string): string | undefined {
  const [, , , hosts = '', , parameters = ''] = PARTS.exec(text) ?? [];
  if (!/^postgres(ql)?:\/\//.test(text)) return `${name} must begin with postgres:// or postgresql://`;
  const several = hosts.includes(',');
  const target = new URLSearchParams(parameters).get('target_session_attrs');
  if (target !== null && !TARGETS.includes(target) && (several || target !== 'any')) {
    return `${name}: target_session_attrs must be read-write or primary, because the server writes`;
  }
  const { urls } = parseDatabaseUrl(text);
  if (several && hosts.split(',').some((host) => host === '')) return `${name} has an empty host in its list`;
  return urls.every((url) => URL.canParse(url))
    ? undefined
    : `${name} must be an address such as postgresql://user:password@host:5432/database, or with several hosts: …@a:5432,b:5432/…`;
}
