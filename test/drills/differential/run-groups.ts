import { comparable, finishedIn, inWords, outcomeOf } from './answers.js';
import type { Differences } from './differences.js';
import type { Group } from './groups.js';
import type { Races } from './races.js';
import { type Answer, onBoth, type Side } from './side.js';
import type { World } from './world.js';

const AT_ONCE = 24;
const REMEMBERED = 30;

export interface Found {
  readonly differences: Differences;
  readonly races: Races;
  /** How many answers of the other revision had each outcome. */
  readonly outcomes: Map<string, number>;
}

/** Sends the groups to both sides, some at once, and compares the answers. @returns the number of games and reports */
export async function runGroups(world: World, groups: readonly Group[], found: Found): Promise<number> {
  let sent = 0;
  const waiting = groups.values();
  const work = async () => {
    for (const group of waiting) {
      const answers = await onBoth(world.sides, (side) => answersOf(side, group));
      learn(world, group, answers[0]);
      for (const outcome of answers[0].map(outcomeOf)) {
        found.outcomes.set(outcome, (found.outcomes.get(outcome) ?? 0) + 1);
      }
      if (group.player.isRacer) found.races.note(group, answers);
      else compareAnswers(group, answers, found.differences);
      sent += group.waves.flat().filter(({ game, isReport }) => game ?? isReport).length;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return sent;
}

/** In the order of the steps. */
async function answersOf(side: Side, { waves }: Group): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const wave of waves) answers.push(...(await Promise.all(wave.map(({ request }) => side.send(request)))));
  return answers;
}

function compareAnswers({ name, player, waves }: Group, answers: [Answer[], Answer[]], differences: Differences): void {
  for (const [at, { request }] of waves.flat().entries()) {
    const pair = [answers[0][at]!, answers[1][at]!].map(comparable) as [Answer, Answer];
    differences.compare(`answers (${name})`, `${player.id}: ${inWords(request)}`, pair);
    if (pair[0].status >= 500) differences.add('answers of failed servers', JSON.stringify(pair[0]));
  }
}

/** Remembers what may be sent again. The answers of the other revision decide. */
function learn({ random }: World, { player, waves }: Group, answers: readonly Answer[]): void {
  for (const [at, { game }] of waves.flat().entries()) {
    if (!game) continue;
    const { __typename, reason } = finishedIn(answers[at]!);
    if (__typename === 'GameCounted' && !player.sent.some(({ id }) => id === game.id)) player.sent.push(game);
    if (reason?.startsWith('too_') && random.chance(0.5)) player.refused.push(game);
  }
  if (player.sent.length > REMEMBERED) player.sent = player.sent.slice(-REMEMBERED);
}
