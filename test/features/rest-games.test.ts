import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { botSquare } from '../../game/bot.js';
import { newGame, play } from '../../game/rules.js';
import { type Server, sharedServer, waitOn } from '../support/server.js';
import { finishGame } from '../support/play.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.remove());
const wait = waitOn(() => server);

interface Ticket {
  id: string;
  difficulty: string;
  seed: string;
  ticket: string;
  expires_at: string;
  counts: boolean;
  counts_from: string | null;
}
interface Moved {
  moves: number[];
  bot_square: number | null;
  result: string | null;
}

/** A player with a program that has a token and knows neither the bot nor the rules. */
async function aProgram() {
  const player = await aSignedInVisitor(server);
  const made = await player.graphql<{ createToken: { secret: string } }>(
    'mutation { createToken(name: "Bot", scopes: [games_write]) { secret } }',
  );
  const program = Object.assign(new Visitor(server), { accessToken: made.data!.createToken.secret });
  return { player, program };
}

async function post<Answer>(program: Visitor, path: string, body: object) {
  const response = await program.postJson(path, body);
  return { status: response.status, body: (await response.json()) as Answer & { error?: string; code?: string } };
}

const start = async (program: Visitor, difficulty = 'hard') =>
  (await post<Ticket>(program, '/api/games', { difficulty })).body;

/** Plays on the first free square until the game is over. */
async function playOut(program: Visitor, { id, ticket }: Ticket) {
  const squares: number[] = [];
  for (;;) {
    const { body } = await post<Moved>(program, `/api/games/${id}/moves`, { ticket, squares });
    if (body.result !== null) return { squares, moves: body.moves, result: body.result };
    squares.push([0, 1, 2, 3, 4, 5, 6, 7, 8].find((square) => !body.moves.includes(square))!);
  }
}

test.each(['easy', 'medium', 'hard'])('a program plays a counted game at %s without the bot', async (difficulty) => {
  const { player, program } = await aProgram();
  const game = await start(program, difficulty);
  expect(game).toEqual({
    ...{ difficulty, counts: true, counts_from: null },
    ...{ id: expect.any(String), ticket: expect.any(String), seed: expect.stringMatching(/^[0-9a-f]{32}$/) },
    expires_at: expect.any(String),
  });
  const { squares, moves, result } = await playOut(program, game);
  await wait(5_000);
  const finish = () => post(program, `/api/games/${game.id}/finish`, { ticket: game.ticket, squares });
  const [first, again] = [await finish(), await finish()];
  expect(again).toEqual(first);
  expect(first).toMatchObject({
    status: 200,
    body: { game: { id: game.id, difficulty, result, moves, source: 'verified', by_program: true }, counts_from: null },
  });
  const stats = (await (await player.api(`/api/player/stats?userId=${player.user.id}`)).json()) as object;
  expect((first.body as { stats?: object }).stats).toEqual(stats);
  const read = await fetch(`${server.origin}/api/games/${game.id}`);
  expect([read.status, await read.json()]).toEqual([200, (first.body as { game?: object }).game]);
});

test("the bot's squares are those of its rules, over REST and GraphQL, and ask nothing of the database", async () => {
  const { program } = await aProgram();
  const { id, ticket, seed } = await start(program, 'medium');
  const opened = play(newGame(), 4);
  if (!opened.ok) throw new Error('The centre is free');
  const bot = botSquare({ board: opened.game.board, difficulty: 'medium', seed });
  const moved = await post<Moved>(program, `/api/games/${id}/moves`, { ticket, squares: [4] });
  expect(moved.body).toEqual({ moves: [4, bot], bot_square: bot, result: null });
  const answer = await program.graphql(
    'mutation ($ticket: String!) { playBotMove(ticket: $ticket, squares: [4]) { ... on BotMoved { moves botSquare result } } }',
    { ticket },
  );
  expect(answer.data).toEqual({ playBotMove: { moves: [4, bot], botSquare: bot, result: null } });
});

test.each<[string, (ticket: Ticket, others: Ticket) => object, number, string]>([
  ['a forged ticket', () => ({ ticket: 'x', squares: [0] }), 422, 'ticket_invalid'],
  ["another game's ticket", (_, { ticket }) => ({ ticket, squares: [0] }), 422, 'ticket_invalid'],
  ['a taken square', ({ ticket }) => ({ ticket, squares: [0, 0] }), 422, 'illegal_move'],
  ['a square off the board', ({ ticket }) => ({ ticket, squares: [9] }), 400, 'squares'],
  ['no squares', ({ ticket }) => ({ ticket }), 400, 'squares must be your own squares in order'],
  ['no ticket', () => ({ squares: [] }), 400, 'ticket must be the ticket of this game'],
  [
    'an unknown field',
    ({ ticket }) => ({ ticket, squares: [], seed: 'x' }),
    400,
    'Unknown: seed. The fields are: ticket, squares',
  ],
])('moves and finish refuse %s', async (_name, bodyOf, status, reason) => {
  const { program } = await aProgram();
  const [game, other] = [await start(program), await start(program)];
  for (const action of ['moves', 'finish']) {
    const answer = await post(program, `/api/games/${game.id}/${action}`, bodyOf(game, other));
    expect([action, answer.status]).toEqual([action, status]);
    if (status === 422) expect(answer.body).toMatchObject({ error: expect.any(String), code: reason });
    else expect(answer.body.error).toContain(reason);
  }
});

test('finish refuses a game that is not over, too fast, of another player, and an unknown id has no game', async () => {
  const { program } = await aProgram();
  const game = await start(program);
  const finish = (by: Visitor, squares: number[]) =>
    post(by, `/api/games/${game.id}/finish`, { ticket: game.ticket, squares });
  expect(await finish(program, [0])).toMatchObject({ status: 422, body: { code: 'game_unfinished' } });
  const { squares } = await playOut(program, game);
  expect(await finish(program, squares)).toMatchObject({ status: 429, body: { code: 'too_fast' } });
  const early = await program.postJson(`/api/games/${game.id}/finish`, { ticket: game.ticket, squares });
  expect(early.headers.get('retry-after')).toBe('3');
  const other = await aProgram();
  expect(await finish(other.program, squares)).toMatchObject({
    status: 422,
    body: { code: 'ticket_of_another_player' },
  });
  for (const id of [game.id, 'none', 'a'.repeat(43)]) {
    expect((await fetch(`${server.origin}/api/games/${id}`)).status).toBe(404);
  }
  await wait(5_000);
  expect((await finish(program, squares)).status).toBe(200);
  // GraphQL sees the same game.
  const { data } = await finishGame(program, game.ticket, squares);
  expect(data!.finishGame).toMatchObject({ __typename: 'GameCounted', game: { id: game.id } });
});

test('a key gives the same game, also when twelve requests come at once', async () => {
  const { player, program } = await aProgram();
  const startWith = async (key: string, difficulty = 'easy') => {
    const response = await program.postJson('/api/games', { difficulty }, { 'idempotency-key': key });
    return (await response.json()) as Ticket;
  };
  const games = await Promise.all(Array.from({ length: 12 }, () => startWith('first')));
  expect(new Set(games.map(({ id, seed }) => id + seed)).size).toBe(1);
  const [game] = games as [Ticket];
  const others = [await startWith('second'), await startWith('first', 'hard'), await start(program, 'easy')];
  expect(new Set([game, ...others].map(({ id }) => id)).size).toBe(4);
  const { program: another } = await aProgram();
  const ofAnother = await another.postJson('/api/games', { difficulty: 'easy' }, { 'idempotency-key': 'first' });
  expect(((await ofAnother.json()) as Ticket).seed).not.toBe(game.seed);

  const { squares } = await playOut(program, game);
  await wait(5_000);
  // A later ticket of the same game counts nothing twice.
  const late = await startWith('first');
  expect(late.ticket).not.toBe(game.ticket);
  await wait(5_000);
  const finish = ({ id, ticket }: Ticket) =>
    program.postJson(`/api/games/${id}/finish`, { ticket, squares }, { 'idempotency-key': 'end' });
  const answers = await Promise.all([game, late, game, late].map(finish));
  const bodies = await Promise.all(answers.map(async (answer) => (await answer.json()) as { game: object }));
  for (const body of bodies) expect(body).toEqual(bodies[0]);
  expect((await program.api(`/api/games/${game.id}`)).status).toBe(200);
  const stats = await player.graphql<{ myGames: object[] }>('{ myGames { id } }');
  expect(stats.data!.myGames).toEqual([{ id: game.id }]);
  await wait(24 * 60 * 60 * 1_000);
  expect((await startWith('first')).id).not.toBe(game.id);
});

test('a body that is no JSON, too large or without a type gets a sentence', async () => {
  const { program } = await aProgram();
  const send = async (body: string, type = 'application/json') => {
    const response = await program.api('/api/games', { method: 'POST', headers: { 'content-type': type }, body });
    return { status: response.status, error: ((await response.json()) as { error: string }).error };
  };
  expect(await send('{"difficulty": ')).toEqual({
    status: 400,
    error: 'The request cannot be read: the body must be valid JSON.',
  });
  expect(await send(`"${'x'.repeat(20_000)}"`)).toEqual({
    status: 413,
    error: 'The body is too large: the limit is 16384 bytes.',
  });
  // As `curl -d` sends it.
  expect(await send('{"difficulty": "easy"}', 'application/x-www-form-urlencoded')).toEqual({
    status: 415,
    error: 'Send JSON with the header Content-Type: application/json',
  });
});

test('a difficulty is needed, and the methods are told', async () => {
  const { program } = await aProgram();
  const error = 'difficulty must be one of: easy, medium, hard';
  for (const body of [{}, { difficulty: 'impossible' }]) {
    expect(await post(program, '/api/games', body)).toMatchObject({ status: 400, body: { error } });
  }
  const wrong = await program.api('/api/games');
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
});
