import { join } from 'node:path';
import type { Differences } from './differences.js';
import { type Group, oneGame } from './groups.js';
import { confirmLink, deleteAccount, graphql, OWN } from './requests.js';
import { onBoth, type Side } from './side.js';
import type { StoredGames } from './stored-games.js';
import type { DrillPlayer, World } from './world.js';

const REASON = ['--reason', 'A drill', '--operator', 'drill'];

/** What operators and players decide between the games: one command, one merge, and sometimes a deletion. */
export class Decisions {
  private made = 0;
  private readonly hidden: DrillPlayer[] = [];
  private readonly merges = { linked: 0, refused: 0 };

  constructor(
    private readonly world: World,
    private readonly differences: Differences,
    private readonly run: (groups: readonly Group[]) => Promise<unknown>,
  ) {}

  get said(): string {
    return `${this.made} decisions, ${this.merges.linked} merges, ${this.merges.refused} refused merges`;
  }

  async next(): Promise<void> {
    this.made += 1;
    const { world } = this;
    await world.addPlayers(2);
    await this.merge();
    if (this.made % 2 === 0) await this.delete(this.somebody());
    const commands = ['voidGame', 'hide', 'voidGame', 'ban', 'voidGame', 'rename', 'unhide'] as const;
    await this[commands[this.made % commands.length]!]();
  }

  /** A player whose rows must be equal on both sides. */
  private somebody(suits: (player: DrillPlayer) => boolean = () => true): DrillPlayer {
    return this.world.random.pick(
      this.world.players.filter((player) => !player.gone && !player.isRacer && suits(player)),
    );
  }

  private async ttt(...words: string[]): Promise<void> {
    const said = await onBoth(this.world.sides, (side) => side.ttt(...words, ...REASON));
    const sorted = said.map(({ code, said }) => [code, ...said.split('\n').sort()]) as [unknown, unknown];
    this.differences.compare('commands', `ttt ${words.join(' ')}`, sorted);
  }

  /** The game may be sent again later. */
  private async voidGame(): Promise<void> {
    const player = this.somebody(({ sent }) => sent.length > 0);
    await this.ttt('game', 'void', this.world.random.pick(player.sent).publicId);
    await this.run([await this.group('after a void', player, [graphql(OWN, {}, await this.world.token(player))])]);
  }

  private async hide(): Promise<void> {
    const player = this.somebody();
    this.hidden.push(player);
    await this.ttt('player', 'hide', player.id);
  }

  private async unhide(): Promise<void> {
    const player = this.hidden.find(({ gone }) => !gone);
    if (player) await this.ttt('player', 'unhide', player.id);
  }

  private async rename(): Promise<void> {
    await this.ttt('player', 'rename', this.somebody().id, `Renamed ${this.made}`);
  }

  /** Each second ban ends. An open challenge of a banned player would be settled at a random time, so no challenger is banned. */
  private async ban(): Promise<void> {
    const player = this.somebody(({ attempt, isChallenger }) => !attempt && !isChallenger);
    await this.ttt('player', 'ban', player.id);
    await this.run([await oneGame(this.world, player)]);
    if (this.made % 2 === 0) {
      player.gone = true;
    } else {
      await this.ttt('player', 'unban', player.id);
      await this.world.newSession(player);
    }
  }

  private async delete(player: DrillPlayer): Promise<void> {
    await this.world.newSession(player);
    const token = await this.world.token(player);
    await this.run([await this.group('a deletion', player, [deleteAccount(token), graphql(OWN, {}, token)])]);
    player.gone = true;
  }

  /** The answers say whether the other account is gone. */
  private async merge(): Promise<void> {
    const { world } = this;
    const player = this.somebody();
    const other = this.somebody(({ provider, isHeavy }) => provider !== player.provider && !isHeavy);
    const request = confirmLink(await world.token(player), await world.linkCode(player, other), other.id);
    const answers = await onBoth(world.sides, (side) => side.send(request));
    this.differences.compare('merges', `${player.id} gets ${other.id}`, answers);
    const linked = JSON.stringify(answers[0].body).includes('IdentityLinked');
    this.merges[linked ? 'linked' : 'refused'] += 1;
    if (!linked) return;
    other.gone = true;
    player.sent.push(...other.sent);
  }

  private async group(name: string, player: DrillPlayer, requests: readonly Group['waves'][0][0]['request'][]) {
    return { name, player, waves: requests.map((request) => [{ request }]) } satisfies Group;
  }

  /** Damages some sums, and repairs them. */
  async repair(): Promise<void> {
    const damaged = [this.somebody(), this.somebody(), this.somebody()].map(({ id }) => id);
    await onBoth(this.world.sides, (side) =>
      side.query('UPDATE player_stats SET draws = draws + 1 WHERE player_id = ANY ($1)', [damaged]),
    );
    await this.ttt('stats', 'rebuild', '--repair');
    const checked = await onBoth(this.world.sides, (side) => side.ttt('stats', 'rebuild'));
    for (const { code, said } of checked) if (code !== 0) this.differences.add('repairs', said);
  }

  /** Without them, all that is left must be equal on both sides. */
  async deleteRacers(): Promise<void> {
    for (const player of this.world.players.filter(({ isRacer, gone }) => isRacer && !gone)) await this.delete(player);
  }
}
