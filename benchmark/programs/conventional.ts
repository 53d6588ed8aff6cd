/**
 * The same product as the documentation of its packages teaches it: NestJS on Express, Apollo Server, Passport with a JWT,
 * class-validator, TypeORM's entities and repositories, and a transaction with a locked row for each finished game.
 */
import 'reflect-metadata';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  HttpCode,
  Injectable,
  Module,
  Post,
  Query as QueryOf,
  UnauthorizedException,
  UnprocessableEntityException,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  Args,
  Field,
  GqlExecutionContext,
  GraphQLModule,
  ID,
  Int,
  Mutation,
  ObjectType,
  Parent,
  Query,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';
import { AuthGuard, PassportModule, PassportStrategy } from '@nestjs/passport';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsUUID, Max, Min } from 'class-validator';
import { ExtractJwt, Strategy } from 'passport-jwt';
import {
  Column,
  DataSource,
  Entity,
  IsNull,
  JoinColumn,
  ManyToOne,
  MoreThan,
  PrimaryColumn,
  type Relation,
  Repository,
} from 'typeorm';

const { DATABASE_URL, POOL_SIZE, TICKET_KEY = '', TOKEN_KEY = '', REPLAY = '', PORT } = process.env;
const { replay } = await import(REPLAY);
const { BOT_MOVE_DELAY } = await import(new URL('bot.js', REPLAY).href);

@Entity('peer.players')
class Player {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) picture!: string | null;
}

@Entity('peer.sessions')
class Session {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'player_id' }) playerId!: string;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
}

@Entity('peer.games')
@ObjectType()
class Game {
  @Field(() => ID) @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'player_id' }) playerId!: string;
  @Field() @Column('text') difficulty!: string;
  @Field() @Column('text') result!: string;
  @Field() @Column('text') seed!: string;
  @Field(() => [Int]) @Column('smallint', { array: true }) moves!: number[];
  @Field() @Column('timestamptz', { name: 'started_at' }) startedAt!: Date;
  @Field() @Column('timestamptz', { name: 'finished_at' }) finishedAt!: Date;
}

@Entity('peer.stats')
@ObjectType()
class Stats {
  @PrimaryColumn('uuid', { name: 'player_id' }) playerId!: string;
  @ManyToOne(() => Player) @JoinColumn({ name: 'player_id' }) player!: Relation<Player>;
  @Field(() => Int) @Column('integer') score!: number;
  @Field(() => Int) @Column('smallint', { name: 'win_streak' }) winStreak!: number;
  @Field(() => Int) @Column('integer') wins!: number;
  @Field(() => Int) @Column('integer') losses!: number;
  @Field(() => Int) @Column('integer') draws!: number;
  @Field(() => Int) @Column('integer', { name: 'easy_wins' }) easyWins!: number;
  @Field(() => Int) @Column('integer', { name: 'medium_wins' }) mediumWins!: number;
  @Field(() => Int) @Column('integer', { name: 'hard_wins' }) hardWins!: number;
  @Column('timestamptz', { name: 'reached_at' }) reachedAt!: Date;
}

@ObjectType()
class Finished {
  @Field(() => Game) game!: Game;
  @Field(() => Stats) stats!: Stats;
}

@ObjectType()
class Me {
  @Field(() => ID) id!: string;
}

@ObjectType()
class Entry {
  @Field(() => ID) user_id!: string;
  @Field() name!: string;
  @Field(() => String, { nullable: true }) picture!: string | null;
  @Field(() => Int) score!: number;
  @Field(() => Int) wins!: number;
  @Field(() => Int) losses!: number;
  @Field(() => Int) draws!: number;
  @Field(() => Int) total_games!: number;
}

class Report {
  @IsUUID() userId!: string;
  @IsIn(['win', 'lose', 'draw']) result!: string;
  @IsIn(['easy', 'medium', 'hard']) difficulty!: string;
}

class Limit {
  @Type(() => Number) @IsInt() @Min(1) @Max(100) limit = 10;
}

@Injectable()
class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(@InjectRepository(Session) private readonly sessions: Repository<Session>) {
    super({ jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(), secretOrKey: TOKEN_KEY, algorithms: ['HS256'] });
  }

  async validate({ sub, sid }: { sub: string; sid: string }): Promise<string> {
    const live = { id: sid, playerId: sub, revokedAt: IsNull(), expiresAt: MoreThan(new Date()) };
    if (!(await this.sessions.findOneBy(live))) throw new UnauthorizedException();
    return sub;
  }
}

const requestOf = (context: ExecutionContext) =>
  context.getType<string>() === 'graphql'
    ? GqlExecutionContext.create(context).getContext().req
    : context.switchToHttp().getRequest();

@Injectable()
class SignedInGuard extends AuthGuard('jwt') {
  override getRequest(context: ExecutionContext) {
    return requestOf(context);
  }
}

const PlayerId = createParamDecorator((_data: unknown, context: ExecutionContext): string => requestOf(context).user);

@Injectable()
class StatsService {
  constructor(
    @InjectRepository(Stats) private readonly stats: Repository<Stats>,
    private readonly database: DataSource,
  ) {}

  of(playerId: string): Promise<Stats> {
    return this.stats.findOneByOrFail({ playerId });
  }

  count(finished: Omit<Game, 'id'> & { id?: string }): Promise<Finished> {
    return this.database.transaction(async (manager) => {
      const { playerId, result, difficulty, finishedAt } = finished;
      const where = { playerId };
      const stats = await manager.findOneOrFail(Stats, { where, lock: { mode: 'pessimistic_write' } });
      const game = manager.create(Game, { id: crypto.randomUUID(), ...finished });
      await manager.insert(Game, game);
      const isBonus = result === 'win' && stats.winStreak === 2;
      stats.winStreak = result === 'win' && !isBonus ? stats.winStreak + 1 : 0;
      stats.score += result === 'win' ? 1 + Number(isBonus) : result === 'lose' ? -1 : 0;
      stats[result === 'win' ? 'wins' : result === 'lose' ? 'losses' : 'draws'] += 1;
      if (result === 'win') stats[`${difficulty as 'easy' | 'medium' | 'hard'}Wins`] += 1;
      if (result !== 'draw') stats.reachedAt = finishedAt;
      return { game, stats: await manager.save(stats) };
    });
  }

  finish(playerId: string, ticket: string, squares: number[]): Promise<Finished> {
    const end = ticket.lastIndexOf('.');
    const mac = createHmac('sha256', TICKET_KEY).update(ticket.slice(0, end)).digest();
    const given = Buffer.from(ticket.slice(end + 1), 'base64url');
    const [id = '', owner, difficulty = '', seed = '', issuedAt] = ticket.split('.');
    const isOurs = given.length === mac.length && timingSafeEqual(given, mac) && owner === playerId;
    const replayed = isOurs && replay({ difficulty, seed, squares });
    const [startedAt, finishedAt] = [new Date(Number(issuedAt)), new Date()];
    if (!replayed?.ok || finishedAt.getTime() - startedAt.getTime() < replayed.game.botMoves * BOT_MOVE_DELAY)
      throw new UnprocessableEntityException('The game is not valid.');
    const { result } = replayed.game;
    const moves = replayed.game.moves.map(({ square }: { square: number }) => square);
    return this.count({ id, playerId, difficulty, result, seed, moves, startedAt, finishedAt });
  }

  async leaders(limit: number): Promise<Entry[]> {
    const order = { score: 'DESC', wins: 'DESC', losses: 'ASC', reachedAt: 'ASC', playerId: 'ASC' } as const;
    const rows = await this.stats.find({ relations: { player: true }, order, take: limit });
    return rows.map(({ player, score, wins, losses, draws }) => {
      const { id: user_id, name, picture } = player;
      return { user_id, name, picture, score, wins, losses, draws, total_games: wins + losses + draws };
    });
  }
}

@Resolver(() => Me)
class GameResolver {
  constructor(private readonly stats: StatsService) {}

  @Query(() => Me)
  @UseGuards(SignedInGuard)
  me(@PlayerId() id: string): Me {
    return { id };
  }

  @ResolveField('stats', () => Stats)
  statsOf(@Parent() { id }: Me): Promise<Stats> {
    return this.stats.of(id);
  }

  @Query(() => [Entry])
  leaderboard(@Args('limit', { type: () => Int, defaultValue: 10 }) limit: number): Promise<Entry[]> {
    return this.stats.leaders(limit);
  }

  @Mutation(() => Finished)
  @UseGuards(SignedInGuard)
  finishGame(
    @PlayerId() playerId: string,
    @Args('ticket') ticket: string,
    @Args('squares', { type: () => [Int] }) squares: number[],
  ): Promise<Finished> {
    return this.stats.finish(playerId, ticket, squares);
  }
}

@Controller('api')
class ApiController {
  constructor(private readonly stats: StatsService) {}

  @Get('leaderboard')
  leaderboard(@QueryOf() { limit }: Limit): Promise<Entry[]> {
    return this.stats.leaders(limit);
  }

  @Post('player/stats')
  @HttpCode(200)
  @UseGuards(SignedInGuard)
  async report(@PlayerId() playerId: string, @Body() { userId, result, difficulty }: Report): Promise<Stats> {
    if (userId !== playerId) throw new UnauthorizedException();
    const now = new Date();
    const game = { playerId, result, difficulty, seed: '', moves: [], startedAt: now, finishedAt: now };
    return (await this.stats.count(game)).stats;
  }
}

const entities = [Player, Session, Game, Stats];

@Module({
  imports: [
    PassportModule,
    TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, poolSize: Number(POOL_SIZE), entities }),
    TypeOrmModule.forFeature(entities),
    GraphQLModule.forRoot<ApolloDriverConfig>({ driver: ApolloDriver, autoSchemaFile: true }),
  ],
  controllers: [ApiController],
  providers: [JwtStrategy, StatsService, GameResolver],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
app.useGlobalPipes(new ValidationPipe({ transform: true }));
await app.listen(Number(PORT), '127.0.0.1');
