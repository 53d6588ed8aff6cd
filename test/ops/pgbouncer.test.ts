import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { findProgram } from '../../scripts/machine/debian.js';
import { squaresFor } from '../builders/finished-game.js';
import { startPgBouncer } from '../support/pgbouncer.js';
import { finishGame, playGame, startGame } from '../support/play.js';
import { type Database, execute, realPostgres } from '../support/postgres.js';
import { type Server, startServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor } from '../support/visitor.js';

const [suite, title] = findProgram('pgbouncer')
  ? [describe, 'PgBouncer']
  : [describe.skip, 'PgBouncer (SKIPPED: it is not installed; on Debian: apt-get install pgbouncer)'];

const OPERATIONS = readFileSync('docs/operations.md', 'utf8');
const [LINE] = /ignore_startup_parameters = .*$/m.exec(OPERATIONS)!;
const [LINES] = /pool_mode = session\n[^`]*/.exec(OPERATIONS)!;

suite(title, () => {
  let database: Database;
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  let server: Server | undefined;
  beforeAll(async () => {
    database = await realPostgres().createDatabase();
  });
  afterEach(async () => {
    await server?.remove();
    server = undefined;
    await pooler.stop();
  });
  afterAll(() => database.drop());

  const start = async (...settings: string[]) => {
    pooler = await startPgBouncer(database.url, settings);
    return pooler.url;
  };

  test('in session mode, with the lines of the docs, carries migrations, sign-in, games and commands, with all time limits', async () => {
    server = await startServer({ databaseUrl: await start(LINES) });
    const player = await aSignedInVisitor(server);
    await Promise.all(Array.from({ length: 20 }, () => player.graphql('{ me { standing { rank } } }')));
    for (let game = 0; game < 3; game++) await playGame(server, player, { result: 'win' });
    expect((await player.graphql('{ me { stats { score } } }')).data).toEqual({ me: { stats: { score: 4 } } });
    expect((await ttt(server, 'doctor', '--full')).said).not.toMatch(/PROBLEM {2}(?!secrets)/);
    await execute(
      database.url,
      'CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(20); RETURN NEW; END $$',
      'CREATE TRIGGER slow BEFORE INSERT ON games FOR EACH ROW EXECUTE FUNCTION slow()',
    );
    const ticket = await startGame(player, 'easy');
    await server.moveClock(5_000);
    const { errors } = await finishGame(player, ticket.token, squaresFor({ ...ticket, result: 'win' }));
    await execute(database.url, 'DROP FUNCTION slow CASCADE');
    expect(errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
    expect(server.log()).toContain('canceling statement due to statement timeout');
    expect(server.log()).not.toMatch(/"stack"|unexpected_error/);
  });

  test('without the line ends a start with a sentence that names it', async () => {
    // The command line opens a database as the server does.
    expect(await ttt({ databaseUrl: await start('pool_mode = session'), dataDir: '' }, 'migrate')).toEqual({
      code: 1,
      said: expect.stringMatching(/unsupported startup parameter.* docs\/operations\.md.*\n$/),
    });
  });

  test.each([
    ['transaction', /PROBLEM {2}pooler: it gives .*pool_mode = session/s],
    ['statement', /PROBLEM {2}pooler: .*not allowed in statement pooling mode/],
  ])('in %s mode is a problem that the doctor names', async (mode, problem) => {
    const databaseUrl = await start(`pool_mode = ${mode}`, LINE);
    expect(await ttt({ databaseUrl, dataDir: '' }, 'doctor')).toEqual({
      code: 1,
      said: expect.stringMatching(problem),
    });
  });
});
