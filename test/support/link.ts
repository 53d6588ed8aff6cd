import { query, type Server } from './server.js';
import { dataOf, FROM_PAGE, type GraphQLAnswer, Visitor } from './visitor.js';

export type ProviderName = 'google' | 'github';

export interface Person {
  readonly name: string;
  readonly email: string;
}

export interface LinkAnswer {
  __typename: 'IdentityLinked' | 'LinkRefused';
  identities?: { provider: ProviderName }[];
  reason?: string;
  message?: string;
}

export interface PendingLink {
  provider: ProviderName;
  name: string;
  email: string | null;
  refusal: {
    reason: string;
    message: string;
    owner: { name: string; games: number; isOnlyOne: boolean } | null;
  } | null;
}

export function postLink(visitor: Visitor, provider: ProviderName | 'oidc', init: RequestInit = {}): Promise<Response> {
  return visitor.api(`/auth/${provider}/link`, { method: 'POST', headers: FROM_PAGE, ...init });
}

/** Begins a link as the page does, up to the provider's form. */
export async function startLink(visitor: Visitor, provider: ProviderName) {
  const response = await postLink(visitor, provider);
  if (!response.ok) throw new Error(`The link answered ${response.status}: ${await response.text()}`);
  const { location } = (await response.json()) as { location: string };
  return visitor.follow(location);
}

/** Links up to the return to the page. */
async function comeBackWith(visitor: Visitor, provider: ProviderName, person: Person): Promise<URL> {
  const { url } = await visitor.submit(await startLink(visitor, provider), { ...person });
  return url;
}

export async function linkCode(visitor: Visitor, provider: ProviderName, person: Person): Promise<string> {
  const url = await comeBackWith(visitor, provider, person);
  const code = url.searchParams.get('link');
  if (!code) throw new Error(`The link ended at ${url.pathname}${url.search}`);
  return code;
}

export async function pendingLink(visitor: Visitor, code: string): Promise<PendingLink | null> {
  const answer = await visitor.graphql<{ pendingLink: PendingLink | null }>(
    `query ($code: String!) {
      pendingLink(code: $code) { provider name email refusal { reason message owner { name games isOnlyOne } } }
    }`,
    { code },
  );
  return dataOf(answer).pendingLink;
}

export function confirmLink(visitor: Visitor, code: string): Promise<GraphQLAnswer<{ confirmLink: LinkAnswer }>> {
  return visitor.graphql(
    `mutation ($code: String!) {
      confirmLink(code: $code) {
        __typename
        ... on IdentityLinked { identities { provider } }
        ... on LinkRefused { reason message owner { name games isOnlyOne } }
      }
    }`,
    { code },
  );
}

/** Links and confirms. */
export async function link(visitor: Visitor, provider: ProviderName, person: Person): Promise<LinkAnswer> {
  return dataOf(await confirmLink(visitor, await linkCode(visitor, provider, person))).confirmLink;
}

export function unlink(visitor: Visitor, provider: ProviderName) {
  return visitor.graphql<{ unlinkIdentity: { provider: ProviderName }[] }>(
    'mutation ($provider: Provider!) { unlinkIdentity(provider: $provider) { provider } }',
    { provider },
  );
}

export async function providersOf(visitor: Visitor): Promise<ProviderName[]> {
  const { data } = await visitor.graphql<{ myIdentities: { provider: ProviderName }[] }>(
    '{ myIdentities { provider } }',
  );
  return data!.myIdentities.map(({ provider }) => provider);
}

let people = 0;

/** Each call gives another email, and so another identity. */
export function aPerson(): Person {
  people += 1;
  return { name: `Person ${people}`, email: `person-${people}-${crypto.randomUUID().slice(0, 8)}@example.org` };
}

/** A person who is signed in with one provider. */
export async function aPlayerAt(server: Server, provider: ProviderName) {
  const person = aPerson();
  const visitor = await new Visitor(server).signIn({ provider, ...person });
  return Object.assign(visitor, { person });
}

/** The number of rows that are about a player. */
export async function rowsOf(server: Server, playerId: string): Promise<number> {
  const tables = [
    'identities',
    'sessions',
    'sign_in_codes',
    'player_stats',
    'player_weeks',
    'games',
    'challenge_attempts',
  ];
  const all = [...tables.map((table) => `${table} WHERE player_id`), 'players WHERE id'];
  const rows = await Promise.all(all.map((from) => query(server, `SELECT FROM ${from} = $1`, [playerId])));
  return rows.flat().length;
}
