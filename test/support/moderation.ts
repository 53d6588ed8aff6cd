import type { Result } from '../../game/rules.js';
import { aMadePlayer } from './made.js';
import { playGame } from './play.js';
import { ADA, GRACE, query, type Server } from './server.js';
import { aSignedInVisitor, dataOf, type GraphQLAnswer, type SignedInUser, Visitor } from './visitor.js';

/** What the server answers to a decision. */
export interface DecisionAnswer {
  __typename: 'Decision' | 'DecisionRefused';
  changed?: boolean;
  said?: string;
  player?: Record<string, unknown> | null;
  reason?: string;
  message?: string;
}

export type SignedIn = Visitor & { user: SignedInUser };

/** All mutations of moderators, with more arguments where they need some. */
export const DECISIONS = {
  renamePlayer: ', name: "Player One"',
  restorePlayerName: '',
  hidePlayer: '',
  unhidePlayer: '',
  banPlayer: '',
  unbanPlayer: '',
  signOutPlayer: '',
  voidGame: '',
  unvoidGame: '',
} as const;
export type DecisionName = keyof typeof DECISIONS;

const PLAYER = 'id name score totalGames rate hiddenAt bannedAt bannedUntil isModerator';

const decisionText = (name: DecisionName) => `
  mutation Decide($id: ID!, $reason: String! ${name.endsWith('Game') ? ', $playerId: ID!' : ''} ${name === 'banPlayer' ? ', $until: DateTime' : ''}) {
    ${name}(${name.endsWith('Game') ? 'playerId: $playerId, ' : ''}id: $id, reason: $reason ${DECISIONS[name]} ${name === 'banPlayer' ? ', until: $until' : ''}) {
      __typename
      ... on Decision { changed said player { ${PLAYER} } }
      ... on DecisionRefused { reason message }
    }
  }`;

/** @param target the player, or a game of `gameOf` */
export function decide(
  moderator: Visitor,
  name: DecisionName,
  target: string,
  more: { reason?: string; until?: string } = {},
): Promise<GraphQLAnswer<Record<string, DecisionAnswer>>> {
  const [playerId, id = playerId] = target.split(' ');
  const ids = name.endsWith('Game') ? { playerId, id } : { id: target };
  return moderator.graphql(decisionText(name), { ...ids, reason: 'Plays with a program', ...more });
}

/** A game as the target of a decision: with its player, as in the file of a command. */
export const gameOf = ({ user }: SignedIn, id: string) => `${user.id} ${id}`;

/** The answer, for decisions that the server does not refuse with an error. */
export async function decided(...given: Parameters<typeof decide>): Promise<DecisionAnswer> {
  return dataOf(await decide(...given))[given[1]]!;
}

/** Their accounts keep their numbers at the local providers when they are deleted. */
export const signInModerators = async (server: Server): Promise<[SignedIn, SignedIn]> => [
  await aSignedInVisitor(server, ADA),
  await aSignedInVisitor(server, GRACE),
];

const emailOf = (name: string) => `${name.toLowerCase()}@example.org`;

/** A player with these games, each as the target of a decision. */
export async function aPlayerWith(server: Server, name: string, ...results: Result[]) {
  const player = await aMadePlayer(server, { name, email: emailOf(name) });
  const games: string[] = [];
  for (const result of results) games.push(gameOf(player, (await playGame(server, player, { result })).game!.id));
  return Object.assign(player, { games });
}

/** Where a sign-in of this person ends, as the address says. */
export async function signInEndsWith(
  server: Server,
  {
    name,
    email = emailOf(name),
    provider = 'google',
  }: { name: string; email?: string; provider?: 'google' | 'github' },
): Promise<string> {
  const visitor = new Visitor(server);
  const { page } = await visitor.startSignIn(provider);
  const { url } = await visitor.submit(page, { name, email });
  return url.searchParams.get('error') ?? 'a code';
}

/** The names on a board, read anew: a command changes it beside the server, which keeps it for a second. */
export async function namesOnBoard(server: Server, period = 'all'): Promise<string[]> {
  const body = { query: `{ leaderboard(period: ${period}) { name } }` };
  const answer = await new Visitor(server).postJson('/graphql', body, { 'cache-control': 'no-cache' });
  const { data } = (await answer.json()) as { data: { leaderboard: { name: string }[] } };
  return data.leaderboard.map(({ name }) => name);
}

/** Every stored sum and game, to compare two moments. */
export async function sumsOf(server: Server) {
  return {
    stats: await query(
      server,
      `SELECT to_jsonb(player_stats) - 'version' AS stats FROM player_stats ORDER BY player_id`,
    ),
    weeks: await query(server, 'SELECT * FROM player_weeks ORDER BY player_id, week'),
    games: await query(server, 'SELECT * FROM games ORDER BY player_id, number'),
  };
}
