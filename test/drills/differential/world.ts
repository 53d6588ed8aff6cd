import { createHash, createHmac } from 'node:crypto';
import { EncryptJWT } from 'jose';
import type { Square } from '../../../game/board.js';
import { type Difficulty, DIFFICULTIES } from '../../../game/bot.js';
import { CHALLENGE_DIFFICULTIES } from '../../../game/challenge.js';
import { AccessTokens } from '../../../server/auth/sessions/access-tokens.js';
import { Clock } from '../../../server/base/clock.js';
import { Env } from '../../../server/settings/env.js';
import { Keys } from '../../../server/settings/keys.js';
import { type PlayedGame, playGame } from './played-game.js';
import { type Random } from './random.js';
import { onBoth, PUBLIC_ORIGIN, SECRET, type Sides } from './side.js';

/** Shorter than an access token lives. */
const SAME_TOKEN_MS = 5 * 60_000;
/** The servers and the operator's commands have different clocks, so no session expires. */
const NEVER = '2100-01-01T00:00:00Z';
const ISSUERS = { google: 'https://accounts.google.com', github: 'https://github.com/login/oauth' } as const;

export interface DrillPlayer {
  readonly id: string;
  readonly provider: keyof typeof ISSUERS;
  /** Sends different games at once, so that their order differs between the sides. */
  readonly isRacer: boolean;
  readonly isChallenger: boolean;
  /** Plays more than the others, and reaches the daily limit. */
  readonly isHeavy: boolean;
  sessionId: string;
  gone: boolean;
  /** May be sent again. The last ones only. */
  sent: PlayedGame[];
  /** May count later. */
  refused: PlayedGame[];
  attempt?: { day: string; started: number; finished: number; squares: Square[] };
  token?: { text: Promise<string>; issuedAt: number };
}

/** Everything that both sides have in common: the time, the players, and the keys. */
export class World {
  readonly players: DrillPlayer[] = [];
  now: Date;
  private readonly keys: Keys;
  private readonly accessTokens: AccessTokens;

  constructor(
    readonly sides: Sides,
    readonly random: Random,
    start: Date,
  ) {
    this.now = start;
    const env = Object.assign(new Env(), { authSecrets: [SECRET], publicOrigin: PUBLIC_ORIGIN });
    this.keys = new Keys(env);
    this.accessTokens = new AccessTokens(env, Object.assign(new Clock(), { now: () => this.now }), this.keys);
  }

  get day(): string {
    return this.now.toISOString().slice(0, 10);
  }

  async moveTo(time: Date): Promise<void> {
    this.now = time;
    await onBoth(this.sides, (side) => side.setTime(time));
  }

  async addPlayers(count: number): Promise<void> {
    const { random } = this;
    for (let added = 0; added < count; added++) {
      const player: DrillPlayer = {
        id: random.uuid(),
        provider: random.pick(['google', 'github']),
        isRacer: random.chance(0.2),
        isChallenger: random.chance(0.15),
        isHeavy: random.chance(0.06),
        sessionId: random.uuid(),
        gone: false,
        sent: [],
        refused: [],
      };
      this.players.push(player);
      await this.insert('INSERT INTO players (id, name, provider, created_at) VALUES ($1, $2, $3, $4)', [
        player.id,
        `Player ${this.players.length}`,
        player.provider,
        this.now,
      ]);
      await this.insert('INSERT INTO identities (issuer, subject, player_id, created_at) VALUES ($1, $2, $3, $4)', [
        ISSUERS[player.provider],
        player.id,
        player.id,
        this.now,
      ]);
      await this.insertSession(player);
    }
  }

  async newSession(player: DrillPlayer): Promise<void> {
    player.sessionId = this.random.uuid();
    player.token = undefined;
    await this.insertSession(player);
  }

  private insertSession({ id, sessionId }: DrillPlayer): Promise<unknown> {
    return this.insert(
      'INSERT INTO sessions (id, player_id, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $3, $4)',
      [sessionId, id, this.now, NEVER],
    );
  }

  private insert(statement: string, values: unknown[]): Promise<unknown> {
    return onBoth(this.sides, (side) => side.query(statement, values));
  }

  token(player: DrillPlayer): Promise<string> {
    const { id: playerId, sessionId } = player;
    const now = this.now.getTime();
    if (!player.token || now - player.token.issuedAt > SAME_TOKEN_MS) {
      player.token = { text: this.accessTokens.issue({ playerId, sessionId }), issuedAt: now };
    }
    return player.token.text;
  }

  /** Plays a game that has begun so many milliseconds ago. */
  play({ id: playerId }: DrillPlayer, { ago, difficulty }: { ago: number; difficulty?: Difficulty }): PlayedGame {
    return playGame(this.random, {
      playerId,
      difficulty: difficulty ?? this.random.pick(DIFFICULTIES),
      issuedAt: new Date(this.now.getTime() - ago),
      key: this.keys.keysFor('ticket')[0],
    });
  }

  /** The seeds that both servers derive. */
  challengeSeeds(day: string): string[] {
    const [key] = this.keys.keysFor('challenge');
    const seedOf = (game: number) => createHmac('sha256', key).update(`${day}:${game}`).digest('hex').slice(0, 32);
    return CHALLENGE_DIFFICULTIES.map((_, at) => seedOf(at + 1));
  }

  /** A code with which the player can link the identity of the other one, as after the sign-in at the provider. */
  async linkCode(player: DrillPlayer, other: DrillPlayer): Promise<string> {
    const content = {
      provider: other.provider,
      issuer: ISSUERS[other.provider],
      subject: other.id,
      name: 'Somebody',
      email: null,
      playerId: player.id,
      sessionId: player.sessionId,
    };
    const code = await new EncryptJWT(content)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(Math.floor(this.now.getTime() / 1000) + 300)
      .encrypt(this.keys.keysFor('link-code')[0]);
    const hash = (text: string) => createHash('sha256').update(text);
    await this.insert(
      `INSERT INTO sign_in_codes (player_id, code_hash, state_hash, code_challenge, return_to, created_at, expires_at)
       VALUES ($1, $2, $3, $4, '/', $5, $6)`,
      [
        player.id,
        hash(`link ${code}`).digest(),
        hash(this.random.uuid()).digest(),
        hash(player.sessionId).digest('base64url'),
        this.now,
        NEVER,
      ],
    );
    return code;
  }
}
