import { DIFFICULTIES } from '../../../game/bot.js';
import { RESULTS } from '../../../game/rules.js';
import { type PlayedGame, playAnother } from './played-game.js';
import { finish, graphql, HISTORY, OWN, report } from './requests.js';
import type { Request } from './side.js';
import type { DrillPlayer, World } from './world.js';

/** A request of a stream, and what its answer tells. */
export interface Step {
  readonly request: Request;
  readonly game?: PlayedGame;
  readonly isReport?: boolean;
}

/** What one player does at one time. The steps of a wave are sent at once; a wave waits for the one before it. */
export interface Group {
  readonly name: string;
  readonly player: DrillPlayer;
  readonly waves: readonly (readonly Step[])[];
}

type Make = (world: World, player: DrillPlayer, token: string) => (readonly Step[])[];

const HOUR = 3_600_000;
const SOON = 10_000;

const send = (token: string, game: PlayedGame): Step => ({ request: finish(token, game), game });
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** Some games are sent days after they began, perhaps in another month. */
const ago = ({ random }: World) => (random.chance(0.1) ? random.between(1, 72) * HOUR : SOON);

/** The games of one player after each other, and what the player then reads. */
const inTurn: Make = (world, player, token) => {
  const games = times(world.random.between(1, 4), () => world.play(player, { ago: ago(world) }));
  const reads = world.random.chance(0.1) ? [[{ request: graphql(OWN, {}, token) }]] : [];
  return [...games.map((game) => [send(token, game)]), ...reads];
};

const one: Make = (world, player, token) => [[send(token, world.play(player, { ago: ago(world) }))]];

/** The same game several times at once: it counts once, and all answers are equal. */
const sameAtOnce: Make = (world, player, token) => {
  const game = world.play(player, { ago: SOON });
  return [times(world.random.between(2, 6), () => send(token, game))];
};

/** A game that was sent before, as it was or with other moves. */
const again: Make = (world, player, token) => {
  if (player.sent.length === 0) return one(world, player, token);
  const game = world.random.pick(player.sent);
  return [[send(token, world.random.chance(0.4) ? playAnother(world.random, game) : game)]];
};

/** A game that was refused before. */
const later: Make = (world, player, token) => {
  const game = player.refused.pop();
  return game ? [[send(token, game)]] : one(world, player, token);
};

/** Too fast, too late, unfinished, forged, and somebody else's. */
const wrong: Make = (world, player, token) => {
  const { random } = world;
  const game = world.play(player, { ago: SOON });
  return [
    random.pick([
      () => [send(token, world.play(player, { ago: 100 }))],
      () => [{ request: finish(token, world.play(player, { ago: 8 * 24 * HOUR })) }],
      () => [{ request: finish(token, { ...game, squares: game.squares.slice(0, -1) }) }],
      () => [{ request: finish(token, { ...game, squares: [...game.squares, 4] }) }],
      () => [{ request: finish(token, { ...game, ticket: `${game.ticket.slice(0, -2)}AA` }) }],
      () => [{ request: finish(token, world.play(random.pick(world.players), { ago: SOON })) }],
    ])(),
  ];
};

const aReport = ({ random }: World, { id }: DrillPlayer) => ({
  userId: id,
  result: random.pick(RESULTS),
  difficulty: random.pick(DIFFICULTIES),
});

const reports: Make = (world, player, token) =>
  times(world.random.between(1, 3), () => [{ request: report(token, aReport(world, player)), isReport: true }]);

/** With a key: once, again, several times at once, and with another result. */
const keyed: Make = (world, player, token) => {
  const key = world.random.hex(16);
  const first = aReport(world, player);
  const waves = [times(world.random.between(1, 4), () => ({ request: report(token, first, key) }))];
  if (world.random.chance(0.5)) waves.push([{ request: report(token, aReport(world, player), key) }]);
  return waves;
};

const reads: Make = (_world, _player, token) => [
  [{ request: graphql(OWN, {}, token) }, { request: graphql(HISTORY, {}, token) }],
];

/** Several games of one player in one moment: a batch. */
const batch: Make = (world, player, token) => [
  times(world.random.between(2, 6), () => send(token, world.play(player, { ago: ago(world) }))),
];

/** Different games and reports at once, some of them more than once. */
const storm: Make = (world, player, token) => {
  const games = times(world.random.between(2, 3), () => send(token, world.play(player, { ago: SOON })));
  const sent = times(2, () => ({ request: report(token, aReport(world, player)), isReport: true }));
  return [[...games, ...sent, ...games]];
};

/** One ticket with two ends at once: one of them counts. */
const twoEnds: Make = (world, player, token) => {
  const game = world.play(player, { ago: SOON });
  return [[send(token, game), send(token, playAnother(world.random, game))]];
};

const READ_OWN: Make = (_world, _player, token) => [[{ request: graphql(OWN, {}, token) }]];

const KINDS: readonly (readonly [share: number, name: string, make: Make])[] = [
  [40, 'games in turn', inTurn],
  [14, 'one game', one],
  [10, 'the same game at once', sameAtOnce],
  [10, 'a game again', again],
  [6, 'a refused game later', later],
  [4, 'a wrong game', wrong],
  [6, 'reports', reports],
  [6, 'reports with a key', keyed],
  [4, 'reads', reads],
];
const KINDS_OF_RACERS: typeof KINDS = [
  [45, 'a batch', batch],
  [25, 'a storm', storm],
  [20, 'two ends', twoEnds],
  [10, 'games in turn', inTurn],
  [5, 'reads', READ_OWN],
];

export async function randomGroup(world: World, player: DrillPlayer): Promise<Group> {
  const kinds = player.isRacer ? KINDS_OF_RACERS : KINDS;
  let at = world.random.next() * kinds.reduce((sum, [share]) => sum + share, 0);
  const [, name, make] = kinds.find(([share]) => (at -= share) < 0) ?? kinds[0]!;
  return { name, player, waves: make(world, player, await world.token(player)) };
}

/** One game of a player, of whom the answer shows whether the session is live. */
export async function oneGame(world: World, player: DrillPlayer): Promise<Group> {
  return { name: 'one game', player, waves: one(world, player, await world.token(player)) };
}
