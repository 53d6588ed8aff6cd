import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the daily limit of games, and to a session the copy of its refresh token that was used. */
export class Trust1763700000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(SESSIONS);
    await queryRunner.query(DAYS);
    await queryRunner.query(VERIFIED_GAMES_ON);
    // Keep the old function for `down`.
    await queryRunner.query('ALTER FUNCTION record_game RENAME TO record_game_without_days');
    await queryRunner.query(RECORD_GAME);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION record_game');
    await queryRunner.query('ALTER FUNCTION record_game_without_days RENAME TO record_game');
    await queryRunner.query('DROP FUNCTION verified_games_on');
    await queryRunner.query('ALTER TABLE player_stats DROP COLUMN verified_day, DROP COLUMN verified_that_day');
    await queryRunner.query('ALTER TABLE sessions DROP COLUMN refresh_answers, DROP COLUMN refresh_used');
  }
}

const SESSIONS = `
  ALTER TABLE sessions
    -- How many answers to the last exchange were given: each carries another copy of the current token.
    ADD COLUMN refresh_answers integer NOT NULL DEFAULT 1 CHECK (refresh_answers > 0),
    -- From which answer the token came that made the last exchange; null where any copy will do.
    ADD COLUMN refresh_used integer CHECK (refresh_used >= 0)
`;

const DAYS = `
  ALTER TABLE player_stats
    -- The UTC day of the newest verified game; null before the first one that was counted with this column.
    ADD COLUMN verified_day date,
    -- How many verified games finished on that day.
    ADD COLUMN verified_that_day integer NOT NULL DEFAULT 0 CHECK (verified_that_day >= 0)
`;

/**
 * How many verified games a player has finished on a UTC day. The row of the sums knows it for the newest day. Games are
 * counted for a day before that one, which a server asks about whose clock is behind, and for a player whose row knows no day.
 */
const VERIFIED_GAMES_ON = `
  CREATE FUNCTION verified_games_on(stats player_stats, in_day date) RETURNS integer LANGUAGE plpgsql STABLE AS $$
  BEGIN
    IF stats.verified_day = in_day THEN RETURN stats.verified_that_day; END IF;
    IF stats.verified_day < in_day THEN RETURN 0; END IF;
    -- Only here is games asked: a function in SQL would need its lock even where another branch answers.
    RETURN (
      SELECT count(*)::integer FROM games
      WHERE player_id = stats.player_id AND source = 'verified'
        AND finished_at >= in_day::timestamp AT TIME ZONE 'UTC'
        AND finished_at < (in_day + 1)::timestamp AT TIME ZONE 'UTC'
    );
  END $$;
`;

/**
 * Adds one finished game to its player, once: the same id again changes nothing. The arithmetic is that of
 * `game/scoring.ts`; a test holds the two together. The row of `player_stats` is locked first, so that games of one
 * player are added one after the other, however many servers send them.
 *
 * A game belongs to the UTC day on which it is counted. The day of the row never goes back, so servers whose clocks
 * differ at midnight do not begin a day anew. The last parameter has a default for servers of the version before, which
 * do not know it and may still run for a while.
 *
 * status: counted - repeated (that very game was there already) - differs (that id was there with another game) -
 *         too_many_today (as many of the player's verified games as a day may have) - too_many (the same of a minute and
 *         of that source) - signed_out (the session has ended). Only `counted` changes a sum.
 */
export const RECORD_GAME = `
  CREATE FUNCTION record_game(
    in_session_id uuid, in_player_id uuid, in_game_id uuid, in_source text, in_difficulty text, in_result text,
    in_seed text, in_moves smallint[], in_started_at timestamptz, in_now timestamptz, in_games_per_minute integer,
    in_games_per_day integer DEFAULT 0
  ) RETURNS TABLE (status text, game games, stats player_stats) LANGUAGE plpgsql AS $$
  DECLARE
    won boolean := in_result = 'win';
    verified boolean := in_source = 'verified';
    today date := (in_now AT TIME ZONE 'UTC')::date;
    games_today integer;
    gained smallint;
  BEGIN
    -- The player's row is locked before all others, as by the deletion of an account: one of the two waits for the other.
    PERFORM FROM sessions JOIN players ON players.id = sessions.player_id
      WHERE sessions.id = in_session_id AND player_id = in_player_id AND revoked_at IS NULL AND expires_at > in_now
      FOR KEY SHARE OF players;
    IF NOT FOUND THEN
      status := 'signed_out';
      RETURN NEXT;
      RETURN;
    END IF;

    INSERT INTO player_stats (player_id, reached_at) VALUES (in_player_id, in_now) ON CONFLICT DO NOTHING;
    SELECT * INTO stats FROM player_stats WHERE player_id = in_player_id FOR UPDATE;

    SELECT * INTO game FROM games WHERE id = in_game_id;
    IF FOUND THEN
      status := CASE
        WHEN (game.player_id, game.source, game.difficulty, game.result, game.seed, game.moves)
          IS NOT DISTINCT FROM (in_player_id, in_source, in_difficulty, in_result, in_seed, in_moves)
        THEN 'repeated' ELSE 'differs' END;
      RETURN NEXT;
      RETURN;
    END IF;

    IF verified THEN
      games_today := verified_games_on(stats, today);
      IF in_games_per_day > 0 AND games_today >= in_games_per_day THEN
        status := 'too_many_today';
        RETURN NEXT;
        RETURN;
      END IF;
    END IF;

    IF in_games_per_minute > 0 AND in_games_per_minute <= (
      SELECT count(*) FROM (
        SELECT FROM games
        WHERE player_id = in_player_id AND source = in_source AND finished_at > in_now - interval '1 minute'
        LIMIT in_games_per_minute
      ) AS recent
    ) THEN
      status := 'too_many';
      RETURN NEXT;
      RETURN;
    END IF;

    game.id := in_game_id;
    game.player_id := in_player_id;
    game.number := stats.wins + stats.losses + stats.draws + 1;
    game.source := in_source;
    game.difficulty := in_difficulty;
    game.result := in_result;
    game.bonus := won AND stats.win_streak = 2;
    gained := CASE in_result WHEN 'win' THEN 1 + game.bonus::integer WHEN 'lose' THEN -1 ELSE 0 END;
    game.points := gained;
    game.seed := in_seed;
    game.moves := in_moves;
    game.started_at := in_started_at;
    game.finished_at := in_now;
    INSERT INTO games SELECT (game).*;

    IF verified AND (stats.verified_day IS NULL OR stats.verified_day <= today) THEN
      stats.verified_day := today;
      stats.verified_that_day := games_today + 1;
    END IF;

    UPDATE player_stats SET
      score = score + gained,
      win_streak = CASE WHEN won AND NOT game.bonus THEN win_streak + 1 ELSE 0 END,
      wins = wins + won::integer,
      losses = losses + (in_result = 'lose')::integer,
      draws = draws + (in_result = 'draw')::integer,
      bonuses = bonuses + game.bonus::integer,
      easy_wins = easy_wins + (won AND in_difficulty = 'easy')::integer,
      medium_wins = medium_wins + (won AND in_difficulty = 'medium')::integer,
      hard_wins = hard_wins + (won AND in_difficulty = 'hard')::integer,
      reached_at = CASE in_result WHEN 'draw' THEN reached_at ELSE in_now END,
      verified_day = stats.verified_day,
      verified_that_day = stats.verified_that_day
    WHERE player_id = in_player_id
    RETURNING * INTO stats;
    status := 'counted';
    RETURN NEXT;
  END $$;
`;
