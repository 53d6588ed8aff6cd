import { setTimeout as sleep } from 'node:timers/promises';
import { comparable, inWords } from './answers.js';
import type { Differences } from './differences.js';
import { BOARD, CHALLENGE, graphql, HISTORY, OWN, PLACES } from './requests.js';
import { onBoth, type Request } from './side.js';
import type { World } from './world.js';

/** The caches of a server and the counts behind the standings are a second old at most. */
const PATIENCE_MS = 10_000;
const PLAYERS = 200;

/** Compares what the API says at the end, to players and about them. */
export async function compareReads(world: World, days: readonly string[], differences: Differences): Promise<void> {
  const present = world.players.filter(({ gone }) => !gone).slice(0, PLAYERS);
  await sleep(2_000);
  for (const player of present) {
    const token = await world.token(player);
    const own: Request = { path: `/api/player/stats?userId=${player.id}`, token };
    const requests = [graphql(OWN, {}, token), graphql(HISTORY, {}, token), graphql(PLACES, {}, token), own];
    await Promise.all(
      requests.map((request) => compareRead(world, { kind: 'reads of a player', request }, differences)),
    );
  }
  const weeks = (
    await world.sides[0].query<{ week: string }>('SELECT DISTINCT week::text FROM player_weeks ORDER BY 1')
  ).map(({ week }) => week);
  const all = graphql(BOARD, { period: 'all' });
  const boards = [all, ...weeks.map((week) => graphql(BOARD, { period: 'week', week }))];
  for (const request of boards) await compareRead(world, { kind: 'leaderboards', request }, differences);
  for (const day of days) {
    await compareRead(world, { kind: 'challenges', request: graphql(CHALLENGE, { day }) }, differences);
  }
}

/** Asks again while the answers differ. */
async function compareRead(
  { sides }: World,
  { kind, request }: { kind: string; request: Request },
  differences: Differences,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answers = (await onBoth(sides, (side) => side.send(request))).map(comparable);
    const [one, other] = answers;
    const failed = one!.status !== 200 || JSON.stringify(one).includes('"errors"');
    if (JSON.stringify(one) === JSON.stringify(other) || performance.now() > deadline) {
      if (failed) differences.add('reads that fail', `${inWords(request)}: ${JSON.stringify(one)}`);
      return differences.compare(kind, inWords(request), [one, other]);
    }
    await sleep(250);
  }
}
