import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isDistributed } from '../../database/distributed.js';
import { distributeChallenge } from '../distribution.js';

/**
 * Today's challenge: the seeds of each day, and one attempt for each player and day. Servers of the previous version may
 * keep running: they do not know these tables, and the foreign key removes the attempts of a deleted player.
 */
export class Challenge1764000000009 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const distributed = await isDistributed(queryRunner.manager);
    await queryRunner.query(TABLES);
    await queryRunner.query(COUNT_CHALLENGE_GAME);
    if (distributed) await distributeChallenge(queryRunner.manager);
    await queryRunner.query(ATTEMPTS_FOREIGN_KEY);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION count_challenge_game');
    await queryRunner.query('DROP TABLE challenge_attempts, challenge_days');
  }
}

/**
 * `games` has the squares of both sides in order, one digit each, for each game that has started. The sums beside it make
 * the table of a day one reading of an index. An attempt is closed after its fifth game, or after its day: then no move
 * changes it. `counted` says how many of its games, from the first on, are in the player's stats.
 */
const TABLES = `
  SET LOCAL lock_timeout = '500ms';

  CREATE TABLE challenge_days (
    day date PRIMARY KEY,
    seeds text[] NOT NULL CHECK (cardinality(seeds) = 5)
  );

  CREATE TABLE challenge_attempts (
    player_id uuid NOT NULL,
    day date NOT NULL,
    games text[] NOT NULL,
    started_at timestamptz[] NOT NULL,
    finished smallint NOT NULL DEFAULT 0,
    wins smallint NOT NULL DEFAULT 0,
    draws smallint NOT NULL DEFAULT 0,
    finished_at timestamptz,
    closed boolean NOT NULL DEFAULT false,
    counted smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (player_id, day),
    CONSTRAINT challenge_attempts_row CHECK (
      cardinality(games) BETWEEN 1 AND 5 AND cardinality(started_at) = cardinality(games)
      AND finished BETWEEN cardinality(games) - 1 AND cardinality(games)
      AND wins >= 0 AND draws >= 0 AND wins + draws <= finished
      AND counted BETWEEN 0 AND cardinality(games)
      AND (closed OR finished < 5) AND (finished_at IS NOT NULL) = (finished = 5)
    )
  );
  CREATE INDEX challenge_attempts_standing ON challenge_attempts (day, wins DESC, draws DESC, player_id) INCLUDE (finished);
  -- What the settlement has to do.
  CREATE INDEX challenge_attempts_unsettled ON challenge_attempts (day, player_id)
    WHERE NOT closed OR counted < cardinality(games);
`;

const ATTEMPTS_FOREIGN_KEY = `
  ALTER TABLE challenge_attempts ADD CONSTRAINT challenge_attempts_player_id_fkey
    FOREIGN KEY (player_id) REFERENCES players (id) ON DELETE CASCADE`;

/**
 * Counts a game of the challenge after its day, when the player may have no session. record_game counts a game only in a
 * session, so the function makes one, which nobody sees, because it is gone before the transaction ends.
 *
 * The row of player_stats is locked first, as record_game and delete_player do.
 */
const COUNT_CHALLENGE_GAME = `
  CREATE FUNCTION count_challenge_game(
    in_player_id uuid, in_game_id uuid, in_difficulty text, in_result text, in_seed text, in_moves smallint[],
    in_started_at timestamptz, in_now timestamptz, in_games_per_minute integer, in_games_per_day integer
  ) RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    counting_session uuid := gen_random_uuid();
    answer text;
  BEGIN
    PERFORM 1 FROM player_stats WHERE player_id = in_player_id FOR NO KEY UPDATE;
    PERFORM 1 FROM players WHERE id = in_player_id FOR KEY SHARE;
    IF NOT FOUND THEN RETURN 'deleted'; END IF;
    INSERT INTO sessions (id, player_id, created_at, last_seen_at, expires_at)
      VALUES (counting_session, in_player_id, in_now, in_now, in_now + interval '1 minute');
    SELECT recorded.status INTO answer FROM record_game(
      counting_session, in_player_id, in_game_id, 'verified', in_difficulty, in_result, in_seed, in_moves, in_started_at,
      in_now, in_games_per_minute, in_games_per_day, in_started_at) AS recorded;
    DELETE FROM sessions WHERE player_id = in_player_id AND id = counting_session;
    RETURN answer;
  END $$
`;
