import { publicGameId } from '../../../server/games/public-id.js';
import { finishedIn } from './answers.js';
import type { Differences } from './differences.js';
import type { Group } from './groups.js';
import type { Answer, Sides } from './side.js';
import type { GamesByPlayer } from './stored-games.js';

interface Told {
  /** The result of each counted game, by its id in the API. */
  readonly games: Map<string, string>;
  reports: number;
}

/**
 * Players who send different games at once. Which game is first is a matter of chance, so the sides differ. But each game that
 * an answer calls counted is stored once, no other one is, and both sides store as many.
 */
export class Races {
  private readonly told: readonly [Map<string, Told>, Map<string, Told>] = [new Map(), new Map()];

  note({ player, waves }: Group, answers: readonly [Answer[], Answer[]]): void {
    for (const [side, ofSide] of answers.entries()) {
      const told = this.told[side]!.get(player.id) ?? { games: new Map(), reports: 0 };
      this.told[side]!.set(player.id, told);
      for (const [at, { isReport }] of waves.flat().entries()) {
        const answer = ofSide[at]!;
        if (isReport && answer.status === 200) told.reports += 1;
        const { game } = finishedIn(answer);
        if (game) told.games.set(game.id, game.result);
      }
    }
  }

  /** @param stored the games of each side, by player */
  check(sides: Sides, stored: readonly [GamesByPlayer, GamesByPlayer], to: Differences): void {
    for (const at of [0, 1] as const)
      this.checkSide(at, stored[at], (text) => to.add(`races (${sides[at].name})`, text));
    for (const id of this.told[0].keys()) {
      to.compare('games of racers', id, [stored[0].get(id)?.length, stored[1].get(id)?.length]);
    }
  }

  private checkSide(at: 0 | 1, stored: GamesByPlayer, say: (text: string) => void): void {
    for (const [id, { games, reports }] of this.told[at]) {
      const own = stored.get(id) ?? [];
      const verified = own.filter(({ source }) => source === 'verified');
      const results = new Map(verified.map((game) => [publicGameId(id, game.id), game.result as string]));
      if (results.size < verified.length) say(`${id} has a game twice`);
      for (const [game, result] of games) {
        if (results.get(game) !== result) say(`${id}: ${game} was counted as ${result}, and is not stored so`);
      }
      for (const game of results.keys()) if (!games.has(game)) say(`${id}: ${game} is stored, but no answer says so`);
      const reported = own.length - verified.length;
      if (reported !== reports) say(`${id}: ${reports} reports were accepted, ${reported} are stored`);
    }
  }
}
