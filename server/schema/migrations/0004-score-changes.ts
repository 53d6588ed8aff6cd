import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Games append their change of score instead of updating a row that players of one score share. Servers fold the changes
 * into the totals once a second.
 *
 * Servers of the previous version may keep running for a while: they call the new `record_game` and read the view
 * `score_counts`. They cannot delete an account with games, because the foreign key no longer cascades.
 */
export class ScoreChanges1763800000004 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(LOCK);
    await queryRunner.query(TABLES);
    await queryRunner.query(SCORE_COUNTS);
    await queryRunner.query(FOLD);
    await queryRunner.query(PLAYER_STATS);
    // Keep the old function for `down`.
    await queryRunner.query('ALTER FUNCTION record_game RENAME TO record_game_with_trigger');
    await queryRunner.query(RECORD_GAME);
    await queryRunner.query(DELETE_PLAYER);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // A fold in progress would make the fold below return 0.
    await queryRunner.query('SELECT pg_advisory_xact_lock(7463202)');
    await queryRunner.query(LOCK);
    await queryRunner.query('DROP FUNCTION record_game, delete_player');
    await queryRunner.query('ALTER FUNCTION record_game_with_trigger RENAME TO record_game');
    await queryRunner.query('SELECT fold_score_changes(2147483647)');
    const left = (await queryRunner.query('SELECT FROM score_changes LIMIT 1')) as unknown[];
    if (left.length > 0) throw new Error('score_changes has rows after the fold');
    await queryRunner.query(DOWN);
  }
}

/**
 * In the order in which games and deletions lock them. Readers of the leaderboard lock in another order, so the limit is
 * shorter than `deadlock_timeout`: the migration fails, not the reader.
 */
const LOCK = `
  SET LOCAL lock_timeout = '500ms';
  LOCK TABLE players, player_stats IN ACCESS EXCLUSIVE MODE;
`;

const TABLES = `
  DROP TRIGGER player_stats_count_score ON player_stats;

  ALTER TABLE score_counts RENAME TO score_totals;
  -- A fold may take a later change of a player before an earlier one.
  ALTER TABLE score_totals DROP CONSTRAINT score_counts_players_check;

  -- Changes of scores that are not in score_totals yet. No foreign key: the change of a deleted player outlives the player.
  CREATE TABLE score_changes (
    player_id uuid NOT NULL,
    -- The number of the game, or 0 for the deletion of the player.
    game integer NOT NULL,
    -- Null before the first game.
    old_score integer,
    -- Null after the deletion.
    new_score integer,
    PRIMARY KEY (player_id, game)
  ) WITH (
    -- Each fold leaves only dead rows, which standings and the next fold read: the vacuum starts early and does not pause.
    autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0
  );
`;

/** The number of players with each score. Only a view, so that it is always exact. */
const SCORE_COUNTS = `
  CREATE VIEW score_counts AS
    SELECT score, sum(players)::integer AS players FROM (
      SELECT score, players FROM score_totals
      UNION ALL SELECT part.score, part.players
        FROM score_changes CROSS JOIN LATERAL (VALUES (new_score, 1), (old_score, -1)) AS part (score, players)
        WHERE part.score IS NOT NULL
    ) AS parts GROUP BY score
`;

/**
 * Moves up to `in_limit` changes into the totals, and returns their number. One transaction at a time does this; others
 * return 0 at once.
 */
export const FOLD = `
  CREATE FUNCTION fold_score_changes(in_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    folded integer;
  BEGIN
    -- The lock ends with the transaction, so it is safe behind a pooler and after a crash. 7463201 locks the migrations.
    IF NOT pg_try_advisory_xact_lock(7463202) THEN RETURN 0; END IF;
    WITH changes AS (
      -- DELETE has no LIMIT.
      DELETE FROM score_changes WHERE ctid = ANY (ARRAY(SELECT ctid FROM score_changes LIMIT in_limit))
      RETURNING old_score, new_score
    ), added AS (
      INSERT INTO score_totals AS total
        SELECT part.score, sum(part.players)
        FROM changes CROSS JOIN LATERAL (VALUES (new_score, 1), (old_score, -1)) AS part (score, players)
        WHERE part.score IS NOT NULL
        GROUP BY part.score HAVING sum(part.players) <> 0
      ON CONFLICT (score) DO UPDATE SET players = total.players + excluded.players
    )
    SELECT count(*) INTO folded FROM changes;
    RETURN folded;
  END $$;
`;

const PLAYER_STATS = `
  -- The old index had draws in its condition, so no update could stay on its page without a new index entry.
  DROP INDEX player_stats_standing;
  CREATE INDEX player_stats_standing ON player_stats (score DESC, wins DESC, losses, reached_at, player_id);
  -- Each game leaves a dead row: an early vacuum keeps room on the page for the next version of a row.
  ALTER TABLE player_stats SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

  -- A call of the old record_game that waits for this migration fails here, so no score changes without a record.
  ALTER TABLE player_stats ALTER COLUMN score DROP DEFAULT;

  -- A deleted row must leave a record too: only delete_player() writes it.
  ALTER TABLE player_stats DROP CONSTRAINT player_stats_player_id_fkey;
  ALTER TABLE player_stats ADD CONSTRAINT player_stats_player_id_fkey FOREIGN KEY (player_id) REFERENCES players;
`;

/**
 * Counts one finished game of its player, once: the same id again changes nothing. The arithmetic is that of
 * `game/scoring.ts`; a test compares the two. The row of `player_stats` is locked first, so that games of one player are
 * counted one after the other on any number of servers.
 *
 * A game belongs to the UTC day on which it is counted. The day of the row never goes back, so servers whose clocks
 * differ at midnight do not start a day again.
 *
 * status: counted - repeated (the same game exists already) - differs (another game has this id) - too_many_today (the
 *         player's verified games have reached the limit of the day) - too_many (the limit of the minute for that source) -
 *         signed_out (the session has ended). Only `counted` changes a sum.
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
    old_score integer;
  BEGIN
    -- The deletion of an account locks the player's row first too: one of the two waits for the other.
    PERFORM FROM sessions JOIN players ON players.id = sessions.player_id
      WHERE sessions.id = in_session_id AND player_id = in_player_id AND revoked_at IS NULL AND expires_at > in_now
      FOR KEY SHARE OF players;
    IF NOT FOUND THEN
      status := 'signed_out';
      RETURN NEXT;
      RETURN;
    END IF;

    SELECT * INTO stats FROM player_stats WHERE player_id = in_player_id FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO player_stats (player_id, score, reached_at) VALUES (in_player_id, 0, in_now) ON CONFLICT DO NOTHING;
      SELECT * INTO stats FROM player_stats WHERE player_id = in_player_id FOR UPDATE;
    END IF;

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

    old_score := CASE WHEN game.number > 1 THEN stats.score END;
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

    IF stats.score IS DISTINCT FROM old_score THEN
      INSERT INTO score_changes VALUES (in_player_id, game.number, old_score, stats.score);
    END IF;
    status := 'counted';
    RETURN NEXT;
  END $$;
`;

/** Deletes a player and the stats. The foreign keys cascade to the player's rows in other tables. */
const DELETE_PLAYER = `
  CREATE FUNCTION delete_player(in_player_id uuid) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    -- record_game locks the player's row first too: one of the two waits for the other.
    PERFORM FROM players WHERE id = in_player_id FOR UPDATE;
    WITH deleted AS (DELETE FROM player_stats WHERE player_id = in_player_id RETURNING *)
    INSERT INTO score_changes
      SELECT player_id, 0, score, NULL FROM deleted WHERE wins + losses + draws > 0;
    DELETE FROM players WHERE id = in_player_id;
  END $$;
`;

const DOWN = `
  DROP FUNCTION fold_score_changes;
  DROP VIEW score_counts;
  DROP TABLE score_changes;
  ALTER TABLE score_totals RENAME TO score_counts;
  ALTER TABLE score_counts ADD CONSTRAINT score_counts_players_check CHECK (players >= 0);
  CREATE TRIGGER player_stats_count_score AFTER INSERT OR UPDATE OR DELETE ON player_stats
    FOR EACH ROW EXECUTE FUNCTION count_score();
  DROP INDEX player_stats_standing;
  CREATE INDEX player_stats_standing
    ON player_stats (score DESC, wins DESC, losses, reached_at, player_id) WHERE wins + losses + draws > 0;
  ALTER TABLE player_stats RESET (fillfactor, autovacuum_vacuum_scale_factor);
  ALTER TABLE player_stats ALTER COLUMN score SET DEFAULT 0;
  ALTER TABLE player_stats DROP CONSTRAINT player_stats_player_id_fkey;
  ALTER TABLE player_stats ADD CONSTRAINT player_stats_player_id_fkey
    FOREIGN KEY (player_id) REFERENCES players ON DELETE CASCADE;
`;
