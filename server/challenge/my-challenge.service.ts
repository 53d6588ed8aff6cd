import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, type Repository } from 'typeorm';
import { CHALLENGE_GAMES, compareResults } from '../../game/challenge.js';
import { Clock, dayBefore, daysFrom, endOfDay, utcDay } from '../base/clock.js';
import { columnsIn, select } from '../database/entity-columns.js';
import { Attempt } from './attempt.entity.js';
import { ChallengeDays } from './challenge-days.service.js';
import { ChallengeRankingService } from './challenge-ranking.service.js';
import { toAttempt } from './challenge.type.js';
import { type MyChallengeType, takersIn } from './my-challenge.type.js';

/** As many days as the player's own chart shows. */
const SHOWN_DAYS = 30;

/** The newest attempts of a player, and whether the player is hidden. */
const NEWEST = `
  SELECT ${select(columnsIn(Attempt), 'a')},
    EXISTS (SELECT FROM player_stats s WHERE s.player_id = $1 AND NOT s.listed) AS hidden
  FROM challenge_attempts AS a WHERE a.player_id = $1 AND a.day <= $2 ORDER BY a.day DESC LIMIT ${SHOWN_DAYS}`;

type Played = Attempt & { readonly hidden: boolean };

/** Today's challenge as one player sees it. */
@Injectable()
export class MyChallengeService {
  constructor(
    @InjectRepository(Attempt) private readonly attempts: Repository<Attempt>,
    private readonly days: ChallengeDays,
    private readonly ranking: ChallengeRankingService,
    private readonly clock: Clock,
  ) {}

  async of(playerId: string): Promise<MyChallengeType> {
    const day = utcDay(this.clock.now());
    const dayAgo = dayBefore(day);
    const played = await this.attempts.query<Played[]>(NEWEST, [playerId, day]);
    const begun = played.find((one) => one.day === day) ?? null;
    const settled = played.filter((one) => one.finished === CHALLENGE_GAMES || this.days.isPublished(one.day));
    const today = settled.find((one) => one.day === day);
    const before = settled.find((one) => one.day === dayAgo && this.days.isPublished(dayAgo));
    const standingOf = (one?: Played) => (one && !one.hidden ? this.ranking.standingOf(one.day, one) : null);
    const standing = await standingOf(today);
    return {
      attempt: toAttempt(playerId, day, begun),
      par: today ? await this.days.parOf(day) : null,
      endsAt: endOfDay(day),
      place: standing?.place ?? null,
      players: standing?.players ?? (await this.ranking.playersOf(day)),
      run: runWith(played[0], day),
      days: settled.filter((one) => one.day > dayBefore(day, SHOWN_DAYS)),
      yesterday: await standingOf(before),
      isBetter: Boolean(today && before && compareResults(today, before) < 0),
      ...takersIn(settled[0] ? await this.ranking.takersOf(settled[0]) : [], settled[0]),
    };
  }

  async runOf(playerId: string): Promise<number> {
    const today = utcDay(this.clock.now());
    const order = { day: 'DESC' } as const;
    return runWith(await this.attempts.findOne({ where: { playerId, day: LessThanOrEqual(today) }, order }), today);
  }
}

const runWith = (newest: Attempt | null | undefined, today: string): number =>
  newest && newest.day >= dayBefore(today) ? daysFrom(newest.runStart, newest.day) : 0;
