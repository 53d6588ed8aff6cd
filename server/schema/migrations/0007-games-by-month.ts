import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RECORD_GAME as FIRST_RECORD_GAME } from './0002-games-and-stats.js';
import { RECORD_GAME as RECORD_GAME_WITH_TRIGGER } from './0003-trust.js';
import { RECORD_GAME as RECORD_GAME_IN_ONE_TABLE } from './0004-score-changes.js';
import { CREATE_MONTHS } from './0007/create-months.js';
import { RECORD_GAME } from './0007/record-game.js';

/**
 * Partitions `games` by the month in which a game was counted. The table so far becomes the partition of all earlier games
 * without being rewritten.
 *
 * Servers of the previous version may keep running: they call the new `record_game` and read `games` under its name.
 */
export class GamesByMonth1763900000007 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(LOCK);
    // They return a row of the table that is about to be renamed.
    await queryRunner.query('DROP FUNCTION record_game, record_game_with_trigger, record_game_without_days');
    await queryRunner.query(PLAYER_STATS);
    await queryRunner.query(GAMES);
    await queryRunner.query(EARLIER_GAMES);
    await queryRunner.query(CREATE_MONTHS);
    await queryRunner.query('SELECT create_games_months(now())');
    await queryRunner.query(RECORD_GAME);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(LOCK);
    await queryRunner.query('DROP FUNCTION record_game, create_games_months');
    await queryRunner.query(ONE_TABLE);
    await queryRunner.query(OLD_CONSTRAINTS);
    await queryRunner.query(FIRST_RECORD_GAME);
    await queryRunner.query('ALTER FUNCTION record_game RENAME TO record_game_without_days');
    await queryRunner.query(RECORD_GAME_WITH_TRIGGER);
    await queryRunner.query('ALTER FUNCTION record_game RENAME TO record_game_with_trigger');
    await queryRunner.query(RECORD_GAME_IN_ONE_TABLE);
  }
}

/** In the order in which games and deletions lock them. The limit is shorter than `deadlock_timeout`. */
const LOCK = `
  SET LOCAL lock_timeout = '500ms';
  LOCK TABLE players, player_stats, games IN ACCESS EXCLUSIVE MODE;
`;

const PLAYER_STATS = `
  ALTER TABLE player_stats
    -- When the newest game was counted; null before the first one that was counted with this column.
    ADD COLUMN last_game_at timestamptz,
    -- player_stats_sums replaces these.
    DROP CONSTRAINT player_stats_win_streak_check,
    DROP CONSTRAINT player_stats_losses_check,
    DROP CONSTRAINT player_stats_draws_check,
    DROP CONSTRAINT player_stats_easy_wins_check,
    DROP CONSTRAINT player_stats_medium_wins_check,
    DROP CONSTRAINT player_stats_hard_wins_check,
    DROP CONSTRAINT player_stats_verified_that_day_check,
    DROP CONSTRAINT player_stats_check,
    DROP CONSTRAINT player_stats_check1,
    DROP CONSTRAINT player_stats_check2;
`;

/**
 * A key of all partitions would have to contain the time, so each partition has its own key (player_id, id): record_game
 * looks into other partitions where the same game may lie there. There is no foreign key: delete_player removes the games.
 */
const GAMES = `
  ALTER TABLE games RENAME TO games_earlier;
  CREATE TABLE games (LIKE games_earlier, CONSTRAINT games_row CHECK (
    points = CASE result WHEN 'win' THEN 1 + bonus::integer WHEN 'lose' THEN -1 ELSE 0 END
  )) PARTITION BY RANGE (finished_at);
  CREATE INDEX games_time ON games (player_id, finished_at);

  -- For months without a partition: no game fails because one is missing.
  CREATE TABLE games_default PARTITION OF games DEFAULT;
  ALTER TABLE games_default ADD PRIMARY KEY (player_id, id);
`;

/** The constraint games_before_... is valid already, so PostgreSQL does not read the table again. */
const EARLIER_GAMES = `
  DO $$
  DECLARE
    before name := (SELECT conname FROM pg_constraint
      WHERE conrelid = 'games_earlier'::regclass AND conname ~ '^games_before_');
  BEGIN
    IF NOT EXISTS (SELECT FROM games_earlier) THEN
      DROP TABLE games_earlier;
      RETURN;
    END IF;
    -- games_pkey stays for the ids that do not name their player.
    ALTER TABLE games_earlier
      DROP CONSTRAINT games_player_id_fkey,
      DROP CONSTRAINT games_player_id_number_key,
      DROP CONSTRAINT games_check,
      DROP CONSTRAINT games_check1,
      DROP CONSTRAINT games_check2,
      DROP CONSTRAINT games_difficulty_check,
      DROP CONSTRAINT games_number_check,
      DROP CONSTRAINT games_result_check,
      DROP CONSTRAINT games_source_check;
    DROP INDEX games_recent;
    EXECUTE format('ALTER TABLE games ATTACH PARTITION games_earlier FOR VALUES FROM (MINVALUE) TO (%L)',
      to_date(right(before, 7), 'YYYY_MM')::timestamp AT TIME ZONE 'UTC');
    EXECUTE format('ALTER TABLE games_earlier DROP CONSTRAINT %I', before);
    EXECUTE format('ALTER TABLE games_earlier RENAME TO %I', before);
  END $$;
`;

/** Copies the games of the months into the table of the earlier games. */
const ONE_TABLE = `
  DO $$
  DECLARE
    earlier name := (SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'games'::regclass AND relname ~ '^games_before_');
  BEGIN
    IF earlier IS NULL THEN
      CREATE TABLE games_whole (LIKE games INCLUDING CONSTRAINTS, CONSTRAINT games_pkey PRIMARY KEY (id));
      CREATE UNIQUE INDEX games_player_id_id ON games_whole (player_id, id);
      CREATE INDEX games_player_id_finished_at ON games_whole (player_id, finished_at);
    ELSE
      EXECUTE format('ALTER TABLE games DETACH PARTITION %I', earlier);
      EXECUTE format('ALTER TABLE %I RENAME TO games_whole', earlier);
    END IF;
    INSERT INTO games_whole SELECT * FROM games;
    DROP TABLE games;
    ALTER TABLE games_whole RENAME TO games;
  END $$;
`;

const OLD_CONSTRAINTS = `
  ALTER TABLE games
    ADD CONSTRAINT games_player_id_fkey FOREIGN KEY (player_id) REFERENCES players ON DELETE CASCADE,
    ADD CONSTRAINT games_player_id_number_key UNIQUE (player_id, number),
    ADD CONSTRAINT games_check CHECK (NOT bonus OR result = 'win'),
    ADD CONSTRAINT games_check1
      CHECK (points = CASE result WHEN 'win' THEN 1 + bonus::integer WHEN 'lose' THEN -1 ELSE 0 END),
    ADD CONSTRAINT games_check2 CHECK (CASE source
      WHEN 'verified' THEN seed IS NOT NULL AND cardinality(moves) BETWEEN 5 AND 9 AND started_at IS NOT NULL
      ELSE seed IS NULL AND moves IS NULL AND started_at IS NULL END),
    ADD CONSTRAINT games_difficulty_check CHECK (difficulty IN ('easy', 'medium', 'hard')),
    ADD CONSTRAINT games_number_check CHECK (number > 0),
    ADD CONSTRAINT games_result_check CHECK (result IN ('win', 'lose', 'draw')),
    ADD CONSTRAINT games_source_check CHECK (source IN ('verified', 'reported'));
  CREATE INDEX games_recent ON games (player_id, source, finished_at);

  ALTER TABLE player_stats
    DROP COLUMN last_game_at,
    ADD CONSTRAINT player_stats_win_streak_check CHECK (win_streak BETWEEN 0 AND 2),
    ADD CONSTRAINT player_stats_losses_check CHECK (losses >= 0),
    ADD CONSTRAINT player_stats_draws_check CHECK (draws >= 0),
    ADD CONSTRAINT player_stats_easy_wins_check CHECK (easy_wins >= 0),
    ADD CONSTRAINT player_stats_medium_wins_check CHECK (medium_wins >= 0),
    ADD CONSTRAINT player_stats_hard_wins_check CHECK (hard_wins >= 0),
    ADD CONSTRAINT player_stats_verified_that_day_check CHECK (verified_that_day >= 0),
    ADD CONSTRAINT player_stats_check CHECK (bonuses BETWEEN 0 AND wins / 3),
    ADD CONSTRAINT player_stats_check1 CHECK (wins = easy_wins + medium_wins + hard_wins),
    ADD CONSTRAINT player_stats_check2 CHECK (score = wins - losses + bonuses);
`;
