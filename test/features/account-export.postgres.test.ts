import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Locks, locksOn } from '../support/locks.js';
import { playGame } from '../support/play.js';
import { query, type Server, startServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

type Row = Record<string, unknown>;

let server: Server;
let locks: Locks;
beforeAll(async () => {
  server = await startServer({ database: 'postgres' });
  locks = await locksOn(server);
});
afterAll(async () => {
  await locks.close();
  await server.remove();
});

test('ten exports of one player at once take one connection to the database, not all of them', async () => {
  const player = await aSignedInVisitor(server);
  await locks.hold('LOCK TABLE games');
  const exports = Array.from({ length: 10 }, (_none, index) => `e${index}: exportAccount`);
  const answer = player.graphql<Record<string, string>>(`{ ${exports.join(' ')} }`);
  await locks.untilWaiting(1);
  // Who comes later still gets one, and not at the end of a queue.
  expect((await player.fetch('/health/ready')).status).toBe(200);
  expect(await locks.waiting()).toBe(1);
  await locks.release();
  expect(new Set(Object.values((await answer).data!)).size).toBe(1);
});

test('the export of an account leaves out no column of a table that belongs to a player but what only a machine could use', async () => {
  const player = await aSignedInVisitor(server);
  await playGame(server, player, { result: 'win' });
  const { data } = await player.graphql<{ exportAccount: string }>('{ exportAccount }');
  const document = JSON.parse(data!.exportAccount) as {
    [section in 'player' | 'stats']: Row;
  } & { [section in 'identities' | 'sessions' | 'signIns' | 'games']: Row[] };
  const columns = await query<{ table: string; columns: string[] }>(
    server,
    `SELECT table_name AS table, array_agg(column_name::text) AS columns FROM information_schema.columns
     WHERE table_schema = 'public' AND (table_name = 'players' OR table_name IN (
       SELECT table_name FROM information_schema.columns WHERE column_name = 'player_id'))
     GROUP BY table_name`,
  );
  const sections: Record<string, Row | undefined> = {
    players: document.player,
    identities: document.identities[0],
    sessions: document.sessions[0],
    sign_in_codes: document.signIns[0],
    player_stats: document.stats,
    games: document.games[0],
  };
  const withheld = new Set(['playerId', 'codeHash', 'stateHash', 'codeChallenge']);
  for (const { table, columns: names } of columns) {
    const stored = names.map((name) => name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()));
    expect([table, Object.keys(sections[table] ?? {})]).toEqual([
      table,
      expect.arrayContaining(stored.filter((name) => !withheld.has(name))),
    ]);
  }
});
