/**
 * Counts one finished game of its player, once: the same id again changes nothing. The arithmetic is that of
 * `game/scoring.ts`; a test compares the two. The row of `player_stats` is locked first, so that games of one player are
 * counted one after the other on any number of servers.
 *
 * A game belongs to the UTC day on which it is counted. The day of the row never goes back, so servers whose clocks
 * differ at midnight do not start a day again.
 *
 * Citus cannot send `CASE value WHEN ...` to a shard, so the UPDATE uses `CASE WHEN`.
 *
 * The key of a partition finds a game that exists in the month of `in_now`. The game may exist in another month when its
 * id is older (`in_id_from`, for a verified game the time of its ticket), or when another server's clock is ahead
 * (`last_game_at`). Only then do all partitions from that time on have to be searched.
 *
 * status: counted - repeated (the same game exists already) - differs (another game has this id) - too_many_today (the
 *         player's verified games have reached the limit of the day) - too_many (the limit of the minute for that source) -
 *         signed_out (the session has ended). Only `counted` changes a sum.
 */
export const RECORD_GAME = `
  CREATE FUNCTION record_game(
    in_session_id uuid, in_player_id uuid, in_game_id uuid, in_source text, in_difficulty text, in_result text,
    in_seed text, in_moves smallint[], in_started_at timestamptz, in_now timestamptz, in_games_per_minute integer,
    in_games_per_day integer DEFAULT 0, in_id_from timestamptz DEFAULT NULL
  ) RETURNS TABLE (status text, game games, stats player_stats) LANGUAGE plpgsql AS $$
  DECLARE
    won boolean := in_result = 'win';
    verified boolean := in_source = 'verified';
    today date := (in_now AT TIME ZONE 'UTC')::date;
    month timestamptz := date_trunc('month', in_now, 'UTC');
    id_from timestamptz := coalesce(in_id_from, in_started_at, '-infinity');
    games_before integer;
    games_today integer;
    refusal text;
    existing boolean := false;
    bonus boolean;
    old_score integer;
    gained smallint;
  BEGIN
    SELECT s.* INTO stats FROM player_stats s JOIN sessions ON sessions.player_id = s.player_id
      WHERE s.player_id = in_player_id
        AND sessions.id = in_session_id AND sessions.revoked_at IS NULL AND sessions.expires_at > in_now
      FOR NO KEY UPDATE OF s;
    IF NOT FOUND THEN
      -- The deletion of an account locks the player too: one of the two waits for the other.
      PERFORM 1 FROM players WHERE id = in_player_id FOR KEY SHARE;
      IF NOT FOUND OR NOT EXISTS (
        SELECT 1 FROM sessions
        WHERE player_id = in_player_id AND id = in_session_id AND revoked_at IS NULL AND expires_at > in_now
      ) THEN
        status := 'signed_out';
        RETURN NEXT;
        RETURN;
      END IF;
      INSERT INTO player_stats (player_id, score, reached_at) VALUES (in_player_id, 0, in_now) ON CONFLICT DO NOTHING;
      SELECT s.* INTO stats FROM player_stats s WHERE s.player_id = in_player_id FOR NO KEY UPDATE;
    END IF;
    games_before := stats.wins + stats.losses + stats.draws;

    IF verified THEN
      games_today := CASE WHEN stats.verified_day = today THEN stats.verified_that_day
        WHEN stats.verified_day < today THEN 0 ELSE verified_games_on(stats, today) END;
      IF in_games_per_day > 0 AND games_today >= in_games_per_day THEN refusal := 'too_many_today'; END IF;
    END IF;
    -- The sums show for most games that the limit of the minute is not reached: a search in games costs more.
    IF refusal IS NULL AND in_games_per_minute BETWEEN 1 AND games_before
      AND (NOT verified OR in_games_per_minute <= games_today OR ((in_now - interval '1 minute') AT TIME ZONE 'UTC')::date < today)
      AND (stats.last_game_at > in_now - interval '1 minute') IS NOT FALSE
      AND in_games_per_minute <= (
        SELECT count(*) FROM (
          SELECT 1 FROM games g
          WHERE g.player_id = in_player_id AND g.source = in_source AND g.finished_at > in_now - interval '1 minute'
          LIMIT in_games_per_minute
        ) AS recent
      )
    THEN
      refusal := 'too_many';
    END IF;

    -- Where the same game may lie in another partition.
    IF refusal IS NOT NULL OR id_from < month OR games_before > 0 AND (date_trunc('month', stats.last_game_at, 'UTC') <= month) IS NOT TRUE THEN
      SELECT * INTO game FROM games g
        WHERE g.player_id = in_player_id AND g.id = in_game_id AND g.finished_at >= id_from;
      existing := FOUND;
      IF refusal IS NOT NULL AND NOT existing THEN
        status := refusal;
        game := NULL;
        RETURN NEXT;
        RETURN;
      END IF;
    END IF;

    IF NOT existing THEN
      bonus := won AND stats.win_streak = 2;
      gained := CASE in_result WHEN 'win' THEN 1 + bonus::integer WHEN 'lose' THEN -1 ELSE 0 END;
      INSERT INTO games AS g (
        id, player_id, number, source, difficulty, result, bonus, points, seed, moves, started_at, finished_at
      ) VALUES (
        in_game_id, in_player_id, games_before + 1, in_source, in_difficulty, in_result, bonus, gained, in_seed, in_moves,
        in_started_at, in_now
      ) ON CONFLICT DO NOTHING RETURNING g.* INTO game;
      IF NOT FOUND THEN
        SELECT * INTO STRICT game FROM games g
          WHERE g.player_id = in_player_id AND g.id = in_game_id AND g.finished_at >= id_from;
        existing := true;
      END IF;
    END IF;

    IF existing THEN
      status := CASE
        WHEN (game.source, game.difficulty, game.result, game.seed, game.moves)
          IS NOT DISTINCT FROM (in_source, in_difficulty, in_result, in_seed, in_moves)
        THEN 'repeated' ELSE 'differs' END;
      RETURN NEXT;
      RETURN;
    END IF;

    IF verified AND (stats.verified_day IS NULL OR stats.verified_day <= today) THEN
      stats.verified_day := today;
      stats.verified_that_day := games_today + 1;
    END IF;
    old_score := CASE WHEN games_before > 0 THEN stats.score END;
    UPDATE player_stats s SET
      score = s.score + gained,
      win_streak = CASE WHEN won AND NOT game.bonus THEN s.win_streak + 1 ELSE 0 END,
      wins = s.wins + won::integer,
      losses = s.losses + (in_result = 'lose')::integer,
      draws = s.draws + (in_result = 'draw')::integer,
      bonuses = s.bonuses + game.bonus::integer,
      easy_wins = s.easy_wins + (won AND in_difficulty = 'easy')::integer,
      medium_wins = s.medium_wins + (won AND in_difficulty = 'medium')::integer,
      hard_wins = s.hard_wins + (won AND in_difficulty = 'hard')::integer,
      reached_at = CASE WHEN in_result = 'draw' THEN s.reached_at ELSE in_now END,
      verified_day = stats.verified_day,
      verified_that_day = stats.verified_that_day,
      last_game_at = greatest(s.last_game_at, in_now)
    WHERE s.player_id = in_player_id
    RETURNING s.* INTO stats;

    IF stats.score IS DISTINCT FROM old_score THEN
      INSERT INTO score_changes VALUES (in_player_id, game.number, old_score, stats.score);
    END IF;
    status := 'counted';
    RETURN NEXT;
  END $$;
`;
