import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Visitor } from './visitor.js';

/** Clients with a connection of their own, which stays open between their requests. */
const CLIENTS = 20;
const PAUSE_MS = 100;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Requests of several players, reads and writes in turn, without a repetition. */
export interface SteadyLoad {
  /** The requests sent so far. */
  sent(): number;
  /** What has failed so far. */
  lost(): readonly string[];
  /** Stops it. Resolves to the number of acknowledged results of each player. */
  stop(): Promise<Map<string, number>>;
}

export function startSteadyLoad(origin: string, players: readonly Visitor[]): SteadyLoad {
  const lost: string[] = [];
  const acknowledged = new Map<string, number>();
  let sent = 0;
  let stopped = false;
  const clients = Array.from({ length: CLIENTS }, async (_none, client) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const player = players[client % players.length]!;
    const kinds = [
      () => send(agent, origin, 'GET', '/api/leaderboard', player),
      () => graphql('mutation { startGame(difficulty: easy) { token } }'),
      () => send(agent, origin, 'GET', '/', player),
      () => graphql('{ me { id stats { score } games(first: 5) { edges { node { id } } } } }'),
      async () => {
        const report = { userId: player.user!.id, result: 'win', difficulty: 'easy' };
        const answer = await send(agent, origin, 'POST', '/api/player/stats', player, report);
        if (answer.status === 200) acknowledged.set(report.userId, (acknowledged.get(report.userId) ?? 0) + 1);
        return answer;
      },
    ];
    const graphql = (query: string) => send(agent, origin, 'POST', '/graphql', player, { query });
    for (let turn = client; !stopped; turn++) {
      sent += 1;
      try {
        const { status, text } = await kinds[turn % kinds.length]!();
        if (status !== 200 || text.includes('"errors"')) lost.push(`${status} ${text.slice(0, 200)}`);
      } catch (error) {
        lost.push(String(error));
      }
      await pause(PAUSE_MS);
    }
    agent.destroy();
  });
  return {
    sent: () => sent,
    lost: () => lost,
    async stop() {
      stopped = true;
      await Promise.all(clients);
      return acknowledged;
    },
  };
}

function send(
  agent: Agent,
  origin: string,
  method: string,
  path: string,
  player: Visitor,
  body?: object,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${player.accessToken}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const sending = request(origin + path, { agent, method, headers }, (response) => {
      let text = '';
      response.on('data', (data: Buffer) => (text += String(data)));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
      response.on('error', reject);
    });
    sending.on('error', reject).end(body && JSON.stringify(body));
  });
}
