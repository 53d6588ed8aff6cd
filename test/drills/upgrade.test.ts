import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Balancer, findHaproxy } from '../../scripts/machine/haproxy.js';
import { squaresFor } from '../builders/finished-game.js';
import { startBalanced } from '../support/balanced.js';
import { finishGame, startGame } from '../support/play.js';
import { type Database, realPostgres } from '../support/postgres.js';
import { rebuildStats } from '../support/rebuildStats.js';
import { MAIN, query, type Server, startServer } from '../support/server.js';
import { startSteadyLoad, type SteadyLoad } from '../support/steadyLoad.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

/** The `main.js` of another version: `npm run upgrade-drill -- REVISION` builds it. */
const { PREVIOUS_MAIN } = process.env;
/** Some seconds of load before each step. */
const REQUESTS_BEFORE_STEP = 400;

const describeWithBoth = PREVIOUS_MAIN && findHaproxy() ? describe : describe.skip;

describeWithBoth('With another version and HAProxy (npm run upgrade-drill -- REVISION)', () => {
  let database: Database;
  let servers: readonly (readonly ['one' | 'two', Server])[];
  let balancer: Balancer;
  let players: Visitor[];
  let load: SteadyLoad | undefined;
  beforeAll(async () => {
    database = await realPostgres().createDatabase();
    const options = {
      databaseUrl: database.url,
      main: PREVIOUS_MAIN!,
      env: { AUTH_SECRET: 'the same secret for both servers', TRUST_PROXY: '1' },
    };
    const first = await startServer(options);
    const second = await startServer({ ...options, publicOrigin: first.origin });
    servers = [
      ['one', first],
      ['two', second],
    ];
    ({ balancer, players } = await startBalanced(first, second));
  });
  afterAll(async () => {
    await load?.stop();
    await balancer.stop();
    for (const [, server] of servers) await server.remove();
    await database.drop();
  });

  /** A player begins on the first server and goes on at the second one, which may run the other version. */
  async function journey(): Promise<string[]> {
    const [first, second] = servers.map(([, server]) => server) as [Server, Server];
    const player = await aSignedInVisitor(first);
    const ticket = await startGame(player, 'easy');
    await Promise.all([first, second].map((server) => server.moveClock(5_000)));
    const elsewhere = Object.assign(new Visitor(second), { cookies: player.cookies, accessToken: player.accessToken });
    const finished = await finishGame(elsewhere, ticket.token, squaresFor({ ...ticket, result: 'win' }));
    const { errors } = await elsewhere.graphql('mutation { deleteAccount }');
    const other = await aSignedInVisitor(first);
    const refreshed = await Object.assign(new Visitor(second), { cookies: other.cookies }).refresh();
    return [
      finished.data?.finishGame.__typename === 'GameCounted' ? [] : `a game: ${JSON.stringify(finished)}`,
      errors ? `a deletion: ${JSON.stringify(errors)}` : [],
      refreshed.ok ? [] : `a refresh: ${refreshed.status}`,
    ].flat();
  }

  test('no request fails while an update replaces one server after the other, and while it is rolled back', async () => {
    const running = startSteadyLoad(balancer.origin, players);
    load = running;
    const steps: string[] = [];
    const failed: string[] = [];
    for (const [version, main] of [
      ['this version', MAIN],
      ['the other version', PREVIOUS_MAIN!],
    ] as const) {
      for (const [name, server] of servers) {
        await running.untilAnswered(REQUESTS_BEFORE_STEP);
        const [before, began] = [running.lost().length, running.sent()];
        // Older versions close their connections at once, so take them out first.
        await balancer.setState(name, 'drain');
        await server.replace(main);
        await balancer.setState(name, 'ready');
        const refused = await journey();
        failed.push(...refused);
        const counts = `${running.sent() - began} requests, ${running.lost().length - before} lost`;
        steps.push([`${name} runs ${version}: ${counts}`, ...refused].join('; fails: '));
      }
    }
    await running.untilAnswered(REQUESTS_BEFORE_STEP);
    const acknowledged = await running.stop();
    process.stdout.write([...steps, `${running.sent()} requests, ${running.lost().length} lost`, ''].join('\n'));
    expect([...running.lost(), ...failed]).toEqual([]);
    const [, first] = servers[0]!;
    const rows = await query<{ id: string; wins: number }>(first, 'SELECT player_id AS id, wins FROM player_stats');
    const wins = new Map(rows.map((row) => [row.id, row.wins]));
    expect(players.map(({ user }) => wins.get(user!.id))).toEqual(
      players.map(({ user }) => acknowledged.get(user!.id)),
    );
    expect(await rebuildStats(first)).toMatchObject({ code: 0 });
  });
});
