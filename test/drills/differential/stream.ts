import { challengeGroup, settlements } from './challenge.js';
import { Decisions } from './decisions.js';
import { Differences } from './differences.js';
import { checkSums } from './fold.js';
import { type Group, randomGroup } from './groups.js';
import { momentsFrom, startOf } from './moments.js';
import { Races } from './races.js';
import { Random } from './random.js';
import { compareReads } from './reads.js';
import { runGroups } from './run-groups.js';
import { onBoth, type Sides } from './side.js';
import { StoredGames } from './stored-games.js';
import { compareTables } from './tables.js';
import { type DrillPlayer, World } from './world.js';

const MOMENTS = 600;
/** A short stream has fewer. */
const PLAYERS = { most: 400, games: 20 };
const DECISIONS = { most: 40, games: 250 };
const GAMES_OF_A_GROUP = 2.2;

/** The first part of the stream after which something happens once. */
const RESTART = 0.5;
const REPAIRS = [0.4, 0.95];

/** One random stream of games into both sides, and the comparison of what it leaves. */
export class Stream {
  readonly differences = new Differences();
  private readonly races = new Races();
  private readonly random: Random;
  private readonly world: World;
  private readonly decisions: Decisions;
  private readonly stored: readonly [StoredGames, StoredGames];
  private readonly days = new Set<string>();
  private readonly outcomes = new Map<string, number>();
  private sent = 0;

  constructor(
    private readonly sides: Sides,
    private readonly start: Date,
    private readonly options: { readonly games: number; readonly seed: number },
  ) {
    this.random = new Random(options.seed);
    this.world = new World(sides, this.random, start);
    this.decisions = new Decisions(this.world, this.differences, (groups) => this.run(groups));
    this.stored = [new StoredGames(sides[0]), new StoredGames(sides[1])];
  }

  static startOf = startOf;

  async play(): Promise<void> {
    await this.world.addPlayers(this.numberOf(PLAYERS));
    const moments = momentsFrom(this.start, MOMENTS, this.random);
    const decisionEvery = Math.ceil(moments.length / this.numberOf(DECISIONS));
    const once = this.onceAfter();
    for (const [at, time] of moments.entries()) {
      const done = at / moments.length;
      await this.moveTo(time);
      while (this.sent < this.options.games * done) await this.run(await this.groups());
      if (at % decisionEvery === decisionEvery - 1) await this.decisions.next();
      while (once[0] && done > once[0].part) await once.shift()!.work();
      if (at % Math.ceil(moments.length / 10) === 0) process.stdout.write(`${time.toISOString()}: ${this.sent} sent\n`);
    }
  }

  private numberOf({ most, games }: { most: number; games: number }): number {
    return Math.min(most, Math.ceil(this.options.games / games));
  }

  private onceAfter(): { readonly part: number; readonly work: () => Promise<unknown> }[] {
    const repair = () => this.decisions.repair();
    return [
      ...REPAIRS.map((part) => ({ part, work: repair })),
      { part: RESTART, work: () => onBoth(this.sides, (side) => side.restart()) },
    ].sort((one, other) => one.part - other.part);
  }

  /** All challenges of earlier days are settled at the first moment of a day, before anybody plays. */
  private async moveTo(time: Date): Promise<void> {
    await this.world.moveTo(time);
    this.days.add(this.world.day);
    await this.run(await settlements(this.world));
  }

  private async groups(): Promise<Group[]> {
    const present = this.world.players.filter(({ gone }) => !gone);
    const wanted = Math.max(4, this.options.games / MOMENTS / GAMES_OF_A_GROUP);
    const chosen = new Set<DrillPlayer>();
    while (chosen.size < Math.min(wanted, present.length / 2)) {
      const player = this.random.pick(present);
      if (player.isHeavy || this.random.chance(0.2)) chosen.add(player);
    }
    const groups: Group[] = [];
    for (const player of chosen) {
      const isChallenge = player.isChallenger && !player.isRacer && this.random.chance(0.3);
      groups.push(await (isChallenge ? challengeGroup(this.world, player) : randomGroup(this.world, player)));
    }
    return groups;
  }

  private async run(groups: readonly Group[]): Promise<void> {
    const { differences, races, outcomes } = this;
    this.sent += await runGroups(this.world, groups, { differences, races, outcomes });
  }

  /** @returns what was compared, and what was not */
  async compare(): Promise<string[]> {
    const games = await onBoth(this.sides, (side) => this.stored[this.sides.indexOf(side)]!.byPlayer());
    for (const [at, side] of this.sides.entries()) await checkSums(side, games[at]!, this.differences);
    this.races.check(this.sides, games, this.differences);
    await this.decisions.deleteRacers();
    const notes = await compareTables(this.sides, this.differences);
    await compareReads(this.world, [...this.days], this.differences);
    const counted = games.map((ofSide) => [...ofSide.values()].reduce((sum, own) => sum + own.length, 0));
    return [
      `${this.sent} games and reports sent, ${counted.join(' and ')} counted; ${this.decisions.said}`,
      [...this.outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', '),
      ...notes,
    ];
  }
}
