import { Args, ID, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { z } from 'zod';
import { SQUARES } from '../../game/board.js';
import { CHALLENGE_GAMES, MOST_MOVES } from '../../game/challenge.js';
import { PlayerType } from '../auth/players/player.type.js';
import { Authenticated, requireScope, SignedIn } from '../auth/sessions/session.guard.js';
import type { SignedInPlayer } from '../auth/sessions/session.entity.js';
import { isUuid } from '../base/uuid.js';
import { MeType } from '../stats/me.type.js';
import { limit, numberBetween, parseInput } from '../web/input.js';
import { ChallengeDays } from './challenge-days.service.js';
import { ChallengePlayService } from './challenge-play.service.js';
import { MyChallengeService } from './my-challenge.service.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import { type Answer, ChallengeAnswer, ChallengeEntryType, ChallengeType, RivalType } from './challenge.type.js';
import { MyChallengeType } from './my-challenge.type.js';
import { listOf, reading, readingLimitedList } from '../limits/field.js';

const NO_DAY = { error: 'day must be a UTC day such as 2026-11-22' };

/** PostgreSQL knows no year 0. */
const wantedDay = z.iso.date({ ...NO_DAY, abort: true }).refine((value) => value.startsWith('2'), NO_DAY);

const wantedGame = z.object({ day: wantedDay, game: numberBetween('game', 1, CHALLENGE_GAMES) });

const wantedStart = wantedGame.extend({
  daredBy: z.string().toLowerCase().refine(isUuid, { error: 'daredBy must be the id of a player' }).nullish(),
});

const wantedMove = wantedGame.extend({
  move: numberBetween('move', 1, MOST_MOVES),
  square: numberBetween('square', 0, SQUARES.length - 1),
});

const wantedEntries = z.object({
  limit,
  after: z.string().refine(isUuid, { error: 'after must be the id of a player' }).optional(),
});

const DAY = { description: 'The UTC day of the challenge, such as 2026-11-22.' };
const GAME = { type: () => Int, description: 'The number of the game, 1 to 5.' };

@Resolver(() => ChallengeType)
export class ChallengeResolver {
  constructor(
    private readonly playing: ChallengePlayService,
    private readonly own: MyChallengeService,
    private readonly days: ChallengeDays,
    private readonly ranking: ChallengeRankingService,
  ) {}

  @Query(() => ChallengeType, {
    name: 'challenge',
    description:
      'The challenge of a day. From one minute after the day, with its seeds, par and all moves. Needs no access token.',
  })
  ofDay(@Args('day', DAY) given: string): ChallengeType {
    const day = parseInput(wantedDay, given);
    return { day, over: this.ranking.isOver(day) };
  }

  @ResolveField('seeds', () => [String], {
    nullable: true,
    description:
      'The seeds of the five games. Null until one minute after the day, and for a day on which nobody played.',
    complexity: reading(listOf(5)),
  })
  seeds(@Parent() { day }: ChallengeType): Promise<readonly string[] | null> | null {
    return this.days.publishedSeedsOf(day);
  }

  @ResolveField('par', () => Int, {
    nullable: true,
    description: 'The fewest moves with which the best result of the day can be reached. Null while the seeds are.',
    complexity: reading(() => 300),
  })
  async par(@Parent() { day }: ChallengeType): Promise<number | null> {
    return (await this.days.publishedSeedsOf(day)) && this.days.parOf(day);
  }

  @ResolveField('commitment', () => String, {
    nullable: true,
    description:
      'Fixes the seeds while they are secret: the SHA-256 of the five seeds, joined by commas, in hexadecimal. It is there from the start of the day. Keep it, and compare it when the seeds are public. Null before the day, and for an earlier day on which nobody played.',
    complexity: reading(),
  })
  commitment(@Parent() { day }: ChallengeType): Promise<string | null> {
    return this.days.commitmentOf(day);
  }

  @ResolveField('players', () => Int, {
    description: 'How many players are in the table: until the day is over, those who have finished all five games.',
    complexity: reading(),
  })
  players(@Parent() { day }: ChallengeType): Promise<number> {
    return this.ranking.playersOf(day);
  }

  @ResolveField('entries', () => [ChallengeEntryType], {
    complexity: readingLimitedList,
    description:
      'The players in the table, best first: by wins, then draws, then the fewest moves. Equal results share a place.',
  })
  entries(
    @Parent() { day }: ChallengeType,
    @Args('limit', { type: () => Int, defaultValue: 10, description: 'How many players, 1 to 100.' }) limit: number,
    @Args('after', {
      type: () => ID,
      nullable: true,
      description: 'The player of the last entry that is known: the list goes on after it.',
    })
    after?: string | null,
  ): Promise<ChallengeEntryType[]> {
    const wanted = parseInput(wantedEntries, { limit, after: after ?? undefined });
    return this.ranking.entriesOf(day, wanted.limit, wanted.after);
  }

  @ResolveField('entry', () => ChallengeEntryType, {
    nullable: true,
    description: 'One player in the table. Null for a player who is not in it, or hidden or gone.',
    complexity: reading(),
  })
  entry(
    @Parent() { day }: ChallengeType,
    @Args('playerId', { type: () => ID, description: 'The id of the player.' }) playerId: string,
  ): Promise<ChallengeEntryType | null> | null {
    return isUuid(playerId) ? this.ranking.entryOf(day, playerId) : null;
  }

  @Query(() => MyChallengeType, {
    description: "Today's challenge of the signed-in player. Needs an access token.",
  })
  @Authenticated()
  myChallenge(@SignedIn() { playerId }: SignedInPlayer): Promise<MyChallengeType> {
    return this.own.of(playerId);
  }

  @Mutation(() => ChallengeAnswer, {
    description:
      'Starts a game of the challenge. The games are played in order, once. A repeated start changes nothing. Needs an access token.',
  })
  @Authenticated()
  startChallengeGame(
    @SignedIn() player: SignedInPlayer,
    @Args('day', DAY) day: string,
    @Args('game', GAME) game: number,
    @Args('daredBy', {
      type: () => ID,
      nullable: true,
      description:
        'The player whose link led here, with a result of that day. Only the first game of the day notes it.',
    })
    daredBy?: string | null,
  ): Promise<Answer> {
    return this.playing.start(player, parseInput(wantedStart, { day, game, daredBy }));
  }

  @Mutation(() => ChallengeAnswer, {
    description:
      "Plays a square in a game of the challenge, and answers with the bot's move. The same move on the same square may be sent again: the answer is the same. Needs an access token.",
  })
  @Authenticated()
  playChallengeMove(
    @SignedIn() player: SignedInPlayer,
    @Args('day', DAY) day: string,
    @Args('game', GAME) game: number,
    @Args('move', { type: () => Int, description: "The number of the player's own move in this game, from 1." })
    move: number,
    @Args('square', { type: () => Int, description: 'The square: 0 to 8, row by row from the top left.' })
    square: number,
  ): Promise<Answer> {
    return this.playing.play(player, parseInput(wantedMove, { day, game, move, square }));
  }

  @Mutation(() => [RivalType], {
    description: 'Ends a rivalry for both, until the next dare, and answers with those left. Needs an access token.',
    complexity: listOf(50),
  })
  @Authenticated()
  async forgetRival(
    @SignedIn() { playerId }: SignedInPlayer,
    @Args('playerId', { type: () => ID, description: 'The rival. Any other text changes nothing.' }) rivalId: string,
  ): Promise<RivalType[]> {
    if (isUuid(rivalId)) await this.playing.forgetDares(playerId, rivalId);
    return this.ranking.rivalsOf(playerId);
  }
}

@Resolver(() => MeType)
export class MyRivalsResolver {
  constructor(private readonly ranking: ChallengeRankingService) {}

  @ResolveField('rivals', () => [RivalType], {
    description: 'The 50 rivals of the latest dares, the latest first. A personal token needs `stats:read`.',
    complexity: reading(listOf(50)),
  })
  rivalsOf(@Parent() { id, scopes }: MeType): Promise<RivalType[]> {
    requireScope(scopes, 'stats:read');
    return this.ranking.rivalsOf(id);
  }
}

@Resolver(() => PlayerType)
export class PlayerRunResolver {
  constructor(private readonly own: MyChallengeService) {}

  @ResolveField('run', () => Int, {
    description: 'On how many days in a row the player has played the challenge, up to today or yesterday.',
    complexity: reading(),
  })
  runOf(@Parent() { id }: PlayerType): Promise<number> {
    return this.own.runOf(id);
  }
}
