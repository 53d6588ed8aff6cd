import { beforeEach, jest } from '@jest/globals';
import { ApolloProvider } from '@apollo/client/react';
import type { ReactNode } from 'react';
import { noStats, type Stats } from '../../game/scoring.js';
import { createApolloClient } from '../data/apollo.js';
import type { Difficulty, HistoryGameFragment, RefusalReason } from '../graphql/generated.js';
import { FakeSocket } from './socket.js';
import { ada } from './session.js';

type Handler = (variables: Record<string, unknown>, headers: Record<string, string>) => object | Promise<object>;

/** A counted game as the server returns it: a win in five moves. */
export function aCountedGame(over: Partial<HistoryGameFragment> = {}): HistoryGameFragment {
  return {
    __typename: 'Game',
    id: 'game-1',
    difficulty: 'medium',
    result: 'win',
    points: 1,
    bonus: false,
    finishedAt: new Date().toISOString(),
    source: 'verified',
    challengeDay: null,
    seed: 'seed',
    moves: [0, 3, 1, 4, 2].map((square, at) => ({ __typename: 'Move', mark: at % 2 === 0 ? 'X' : 'O', square })),
    ...over,
  };
}

/** An answer with these fields of the signed-in player. */
export const answerOfMe = (fields: object) => ({ data: { me: { __typename: 'Me', ...fields } } });

/** The answer to MyGames. */
export function myGames(...games: readonly HistoryGameFragment[]) {
  const edges = games.map((node) => ({ __typename: 'GameEdge', node }));
  return answerOfMe({ games: { __typename: 'GameConnection', edges } });
}

/** The answer to MyChallenge. */
export const myChallenge = (fields: object) => ({
  data: {
    me: { __typename: 'Me', id: 'p-ada', rivals: [] },
    myChallenge: {
      __typename: 'MyChallenge',
      par: null,
      place: null,
      players: 0,
      run: 0,
      days: [],
      yesterday: null,
      isBetter: false,
      takers: [],
      takersInAll: 0,
      ...fields,
    },
  },
});

/** What a player has reached, and the place on the leaderboard. */
export function myProgress(reached: object = {}, rank?: number) {
  return answerOfMe({
    achievements: {
      __typename: 'Achievements',
      playerId: 'p-ada',
      hardDrawsInARow: 0,
      bestHardDrawsInARow: 0,
      badges: [],
      ...reached,
    },
    standing: rank === undefined ? null : { __typename: 'Standing', rank, exact: true },
  });
}

/** The refusal of a finished game. */
export const aRefusal = (reason: RefusalReason, over: object = {}) => ({
  __typename: 'GameRefused' as const,
  reason,
  message: `Because ${reason}`,
  countsFrom: null,
  gamesPerDay: 100,
  ...over,
});

/** A badge that the player has not reached. */
export const aBadge = (badge: string, over: object = {}) => ({
  __typename: 'BadgeDetails',
  ...{ badge, reached: false, reachedAt: null, progress: null, goal: null },
  ...over,
});

/** An answer with a GraphQL error of this code. */
export function graphqlError(code: string): object {
  return { errors: [{ message: code, extensions: { code } }] };
}

/** Answers each operation by its name. Tests can change `handlers` at any time. */
class FakeServer {
  calls!: { operation: string; variables: Record<string, unknown>; headers: Record<string, string> }[];
  stats!: Stats;
  seed!: string;
  /** When games count again, if the day's limit is reached. */
  countsFrom!: string | null;
  gamesPerDay!: number;
  handlers!: Record<string, Handler>;
  private tickets = 0;

  /** Forgets all that a test has changed, and replaces the browser's fetch. */
  install(): void {
    forgetEverything();
    Object.assign(this, { calls: [], stats: noStats, seed: 'seed', countsFrom: null, gamesPerDay: 100, tickets: 0 });
    this.handlers = {
      MyGames: () => myGames(),
      MyProgress: () => myProgress(),
      MyStats: () => this.myStats(),
      StartGame: ({ difficulty }) => ({ data: { startGame: this.ticket(difficulty as Difficulty) } }),
      FinishGame: ({ ticket }) => ({
        data: {
          finishGame: {
            __typename: 'GameCounted',
            game: aCountedGame({ id: String(ticket).replace('ticket', 'game') }),
            stats: this.playerStats(),
            countsFrom: null,
            gamesPerDay: this.gamesPerDay,
          },
        },
      }),
      WeekLeaderboard: () => ({ data: { leaderboard: [] } }),
      Leaderboard: () => ({ data: { leaderboard: [] } }),
      LeaderboardAround: () => answerOfMe({ standing: null }),
    };
    window.fetch = jest.fn(async (_input: unknown, init?: RequestInit) => {
      const { operationName, variables } = JSON.parse(init?.body as string) as {
        operationName: string;
        variables: Record<string, unknown>;
      };
      const headers = init?.headers as Record<string, string>;
      this.calls.push({ operation: operationName, variables, headers });
      const body = await this.handlers[operationName]?.(variables, headers);
      return response(200, body);
    });
  }

  called(operation: string): number {
    return this.calls.filter((call) => call.operation === operation).length;
  }

  /** The answer to MyStats. */
  myStats() {
    return answerOfMe({ stats: this.playerStats() });
  }

  playerStats() {
    return { __typename: 'PlayerStats', playerId: 'p-ada', ...this.stats };
  }

  ticket(difficulty: Difficulty) {
    const number = ++this.tickets;
    return {
      __typename: 'Ticket',
      gameId: `game-${number}`,
      difficulty,
      seed: this.seed,
      token: `ticket-${number}`,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      counts: this.countsFrom === null,
      countsFrom: this.countsFrom,
      gamesPerDay: this.gamesPerDay,
    };
  }
}

export function response(status: number, body: unknown): Response {
  const type = /"(data|errors)":/.test(JSON.stringify(body)) ? 'application/graphql-response+json' : 'application/json';
  return {
    ok: status < 300,
    status,
    headers: new Headers({ 'content-type': type }),
    text: async () => JSON.stringify(body),
    json: async () => body,
  } as Response;
}

/** The page's Apollo client, with a session whose token is always valid. */
export function SignedIn({ children }: { children: ReactNode }) {
  return <ApolloProvider client={client()}>{children}</ApolloProvider>;
}

const session = { token: async () => 'a-token', getSnapshot: () => ({ phase: 'signed in', player: ada }) as const };

let current: ReturnType<typeof createApolloClient> | null = null;

/** The server of the tests of a file. It is a new one for each of them. */
export function aFakeServer(): FakeServer {
  const server = new FakeServer();
  beforeEach(() => server.install());
  return server;
}

/** Resets the cache, the storages and the sockets. */
function forgetEverything(): void {
  current = null;
  FakeSocket.install();
  localStorage.clear();
  sessionStorage.clear();
}

function client() {
  return (current ??= createApolloClient(session, ada.id));
}
