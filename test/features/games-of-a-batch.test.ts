import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { squaresFor } from '../builders/finished-game.js';
import { IS_DISTRIBUTED } from '../support/citus.js';
import { playUnsent, type Unsent } from '../support/load.js';
import { finishGame } from '../support/play.js';
import { query, type Server, startServer } from '../support/server.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

const PER_MINUTE = 5;
const PER_DAY = 8;
/** A player's game and the one after so many others are equal. */
const KINDS = 7;
const OUTCOMES = [
  '"already_counted"',
  '"too_many_games"',
  '"too_many_games_today"',
  '"UNAUTHENTICATED"',
  '[200,',
  '[422,',
  '[429,',
];
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const EMPTY = 'TRUNCATE games, player_stats, player_weeks, voided_games';

/** While statements take so long, later requests meet in one. */
const SLEEP = `CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.02); RETURN NULL; END $$`;
const SLOW_STATEMENTS = 'CREATE TRIGGER sleep BEFORE INSERT ON games FOR EACH STATEMENT EXECUTE FUNCTION sleep()';

let server: Server;
let moved = 0;
beforeAll(async () => {
  server = await startServer({
    env: {
      GAMES_PER_MINUTE: String(PER_MINUTE),
      GAMES_PER_DAY: String(PER_DAY),
      REPORTS_PER_MINUTE: '3',
    },
  });
  await server.stopClock();
});
afterAll(() => server.remove());

async function move(by: number): Promise<void> {
  moved += by;
  await server.moveClock(by);
}

/** A request about a game, and its player. The answer has no id, so that two equal games of a player may change places. */
interface Sending {
  readonly player: Visitor;
  readonly send: () => Promise<unknown>;
}

/** What happens: requests that may arrive together, a change, or a look at the rows. */
type Step = readonly Sending[] | (() => Promise<unknown>);

function finishing(player: Visitor, { ticket }: Unsent, squares: readonly number[]): Sending {
  const send = async () => {
    const { data, errors } = await finishGame(player, ticket.token, squares);
    if (!data) return errors!.map(({ extensions }) => extensions.code);
    const { game, ...rest } = data.finishGame;
    return { ...rest, game: { ...game, id: undefined } };
  };
  return { player, send };
}

const counting = (game: Unsent): Sending => finishing(game.player, game, game.squares);

const differing = (game: Unsent): Sending =>
  finishing(game.player, game, squaresFor({ ...game.ticket, result: game.result === 'lose' ? 'draw' : 'lose' }));

/** A repeated game is answered with the current sums: those of another game that is sent at the same moment may be in them. */
const withoutStats = ({ player, send }: Sending): Sending => ({
  player,
  send: async () => ({ ...((await send()) as object), stats: undefined }),
});

function reporting(player: Visitor, key: string, result: string): Sending {
  const send = async () => {
    const report = { userId: player.user!.id, result, difficulty: 'medium' };
    const response = await player.postJson('/api/player/stats', report, { 'idempotency-key': key });
    return [response.status, await response.json()];
  };
  return { player, send };
}

/** Plays all steps and returns what they gave: the answers to each player in an order that does not depend on their arrival. */
async function playSteps(steps: readonly Step[], arrival: 'in turn' | 'together'): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const step of steps) {
    if (typeof step === 'function') {
      results.push(await step());
      continue;
    }
    await move(SECOND);
    const given: Record<string, string[]> = {};
    const run = async ({ player, send }: Sending) => {
      const answer = JSON.stringify(await send());
      (given[player.user!.id] ??= []).push(answer);
    };
    if (arrival === 'together') await Promise.all(step.map(run));
    else for (const sending of step) await run(sending);
    for (const all of Object.values(given)) all.sort();
    results.push(given);
  }
  return results;
}

/** All that games have changed. */
async function rows(): Promise<Record<string, unknown[]>> {
  const select = {
    // Two equal games of a player may have changed their numbers.
    games: `SELECT player_id, number, source, difficulty, result, bonus, points, finished_at FROM games ORDER BY 1, 2`,
    ids: 'SELECT player_id, id, seed, moves, started_at FROM games ORDER BY 1, 2',
    // Two games of a player in one statement make one version.
    stats: `SELECT to_jsonb(player_stats) - 'version' AS stats FROM player_stats ORDER BY player_id`,
    weeks: 'SELECT * FROM player_weeks ORDER BY player_id, week',
  };
  const found = Object.entries(select).map(async ([name, text]) => [name, await query(server, text)] as const);
  return Object.fromEntries(await Promise.all(found));
}

/** In a distributed database games share no statement. */
const testOnOneServer = IS_DISTRIBUTED ? test.skip : test;

testOnOneServer('games that arrive together count as they do one by one', async () => {
  const now = new Date();
  const endOfMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  await move(endOfMonth - 6 * MINUTE - now.getTime());
  const players = await Promise.all(Array.from({ length: 14 }, () => aSignedInVisitor(server)));
  const games = await Promise.all(players.map(async (player, at) => (await playUnsent(player, 14 + at)).slice(at)));
  const [again, other, gone, hidden, voided, ahead, late, reporter] = players;
  // Its games arrive last, while the first ones of the others are under way.
  const twice = players.at(-1);
  const idOf = (player: Visitor | undefined) => player!.user!.id;
  const change = (text: string, ...values: unknown[]) => query(server, text, values);
  const begun = moved;

  /** A game of each player, and what some of them send instead or besides. */
  const round = (number: number): Sending[] =>
    players.flatMap((player, at) => {
      const [game, before] = [games[at]![number]!, games[at]![number - 1]];
      switch (player) {
        case again:
          return [counting(number === 11 ? games[at]![0]! : number % 2 ? before! : game)];
        case ahead:
          return [counting(number === 2 ? games[at]![0]! : game)];
        case other:
          return [number % 3 === 2 ? differing(games[at]![0]!) : counting(game)];
        case late:
          return number < 4 ? [] : [counting(game)];
        case voided:
          return [counting(number === 3 ? games[at]![0]! : game)];
        case twice:
          return number === 1
            ? [game, game, games[at]![number + KINDS]!].map((one) => withoutStats(counting(one)))
            : [counting(game)];
        case reporter:
          return [reporting(player, `key-${number - (number % 3 === 1 ? 1 : 0)}`, number % 4 ? 'win' : 'lose')];
        default:
          return [counting(game)];
      }
    });

  const steps: Step[] = [
    () => move(10 * SECOND),
    round(0),
    // As if a server whose clock is ahead had counted the game.
    () => change(`UPDATE games SET finished_at = finished_at + interval '1 month' WHERE player_id = $1`, idOf(ahead)),
    () =>
      change(
        `UPDATE player_stats SET last_game_at = last_game_at + interval '1 month' WHERE player_id = $1`,
        idOf(ahead),
      ),
    round(1),
    () => change('UPDATE player_stats SET listed = false WHERE player_id = $1', idOf(hidden)),
    () => change('INSERT INTO voided_games SELECT * FROM games WHERE player_id = $1 AND number = 1', idOf(voided)),
    () => change('DELETE FROM games WHERE player_id = $1 AND number = 1', idOf(voided)),
    round(2),
    round(3),
    () => change('UPDATE sessions SET revoked_at = expires_at WHERE player_id = $1', idOf(gone)),
    round(4),
    round(5),
    () => move(MINUTE + SECOND),
    round(6),
    round(7),
    round(8),
    // The limit of the day alone.
    () => move(MINUTE + SECOND),
    round(9),
    rows,
    () => move(4 * MINUTE),
    round(10),
    round(11),
    rows,
  ];

  await query(server, EMPTY);
  const oneByOne = await playSteps(steps, 'in turn');

  await move(begun - moved);
  await query(server, 'UPDATE sessions SET revoked_at = NULL');
  await query(server, EMPTY);
  await query(server, SLEEP);
  await query(server, SLOW_STATEMENTS);
  const together = await playSteps(steps, 'together');
  expect(together).toEqual(oneByOne);

  const answers = JSON.stringify(oneByOne).replaceAll('\\', '');
  expect(OUTCOMES.filter((outcome) => !answers.includes(outcome))).toEqual([]);
  // Rows of one statement have the same transaction and command.
  const [{ shared }] = (await query<{ shared: number }>(
    server,
    `SELECT sum(games)::integer AS shared
     FROM (SELECT count(*) AS games FROM games GROUP BY xmin::text, cmin::text HAVING count(*) > 1) AS statements`,
  )) as [{ shared: number }];
  expect(shared).toBeGreaterThan(0);
});
