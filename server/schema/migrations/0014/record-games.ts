/**
 * Counts the games of a batch as `record_game` counts each of them, in one transaction, and answers a row for each game.
 * `in_games` is an array of the arguments of `record_game`; `place` is the place in it, from 1.
 *
 * Most games are alike: the first of their player in the batch, in a live session, below every limit, with an id that no
 * partition of an earlier month can have. They count together, in one statement. The function passes all others to
 * `record_game`, one by one: second games of a player, repeated, refused and voided games, and the searches in other months.
 *
 * Locks are taken in the order of the players, as everywhere. `record_game` locks the row of a new player when it creates it,
 * so a batch with a new player counts one by one, in that order. After the first locks, no game waits for another row.
 *
 * Each statement sees what was committed before it began, so the games are counted from rows as they are under their locks.
 *
 * A connection keeps its plans until the next ANALYZE. A plan for few players would read a whole table later, so all plans
 * use the keys.
 */
export const RECORD_GAMES = `
  CREATE FUNCTION record_games(in_games json) RETURNS TABLE (
    place bigint, status text, finished_at timestamptz, bonus boolean, points smallint, score integer, win_streak smallint,
    wins integer, losses integer, draws integer, easy_wins integer, medium_wins integer, hard_wins integer,
    week_score integer, games_today integer
  ) LANGUAGE plpgsql SET enable_seqscan = off AS $$
  #variable_conflict use_column
  DECLARE
    players uuid[];
    games_given bigint;
    counted bigint[] := '{}';
  BEGIN
    SELECT array_agg(DISTINCT "playerId"), count(*) INTO players, games_given
      FROM json_to_recordset(in_games) AS given ("playerId" uuid);

    IF cardinality(players) = (SELECT count(*) FROM player_stats s WHERE s.player_id = ANY (players)) THEN
      PERFORM 1 FROM (SELECT id FROM unnest(players) AS id ORDER BY id) AS player CROSS JOIN LATERAL (
        SELECT 1 FROM player_stats s WHERE s.player_id = player.id FOR NO KEY UPDATE
      ) AS locked;

      FOR place, status, finished_at, bonus, points, score, win_streak, wins, losses, draws, easy_wins, medium_wins, hard_wins,
        week_score, games_today
      IN
        WITH given AS (
          SELECT *, result = 'win' AS won, source = 'verified' AS verified, (now AT TIME ZONE 'UTC')::date AS today,
            date_trunc('month', now, 'UTC') AS month, row_number() OVER (PARTITION BY player_id ORDER BY place) AS turn
          FROM ROWS FROM (GIVEN_GAMES) WITH ORDINALITY AS given (GIVEN_COLUMNS)
        ), alike AS MATERIALIZED (
          SELECT g.*, s.score AS old_score, s.games_before, s.games_today, g.won AND s.win_streak = 2 AS bonus,
            CASE g.result WHEN 'win' THEN 1 + (s.win_streak = 2)::integer WHEN 'lose' THEN -1 ELSE 0 END::smallint AS gained
          FROM given g
            CROSS JOIN LATERAL (
              SELECT s.*, s.wins + s.losses + s.draws AS games_before,
                CASE WHEN s.verified_day = g.today THEN s.verified_that_day WHEN s.verified_day < g.today THEN 0 END
                  AS games_today
              FROM player_stats s WHERE s.player_id = g.player_id
            ) AS s
            JOIN sessions ON sessions.player_id = g.player_id AND sessions.id = g.session_id
          WHERE g.turn = 1
            AND sessions.revoked_at IS NULL AND sessions.expires_at > g.now
            AND s.voided = 0
            AND CASE WHEN g.verified AND g.per_day > 0 THEN s.games_today < g.per_day
              WHEN g.verified THEN s.games_today IS NOT NULL ELSE g.per_day = 0 END
            -- record_game counts the games of the last minute.
            AND NOT (
              g.per_minute BETWEEN 1 AND s.games_before
              AND (NOT g.verified OR g.per_minute <= s.games_today OR ((g.now - interval '1 minute') AT TIME ZONE 'UTC')::date < g.today)
              AND (s.last_game_at > g.now - interval '1 minute') IS NOT FALSE
            )
            -- record_game searches other months for the same game.
            AND coalesce(g.id_from, g.started_at) >= g.month
            AND (s.games_before = 0 OR date_trunc('month', s.last_game_at, 'UTC') <= g.month)
        ), added AS (
          INSERT INTO games (
            id, player_id, number, source, difficulty, result, bonus, points, seed, moves, started_at, finished_at
          )
          SELECT id, player_id, games_before + 1, source, difficulty, result, bonus, gained, seed, moves, started_at, now
          FROM alike
          ON CONFLICT DO NOTHING RETURNING player_id
        ), sums AS (
          UPDATE player_stats s SET
            score = s.score + g.gained,
            win_streak = CASE WHEN g.won AND NOT g.bonus THEN s.win_streak + 1 ELSE 0 END,
            wins = s.wins + g.won::integer,
            losses = s.losses + (g.result = 'lose')::integer,
            draws = s.draws + (g.result = 'draw')::integer,
            bonuses = s.bonuses + g.bonus::integer,
            easy_wins = s.easy_wins + (g.won AND g.difficulty = 'easy')::integer,
            medium_wins = s.medium_wins + (g.won AND g.difficulty = 'medium')::integer,
            hard_wins = s.hard_wins + (g.won AND g.difficulty = 'hard')::integer,
            reached_at = CASE WHEN g.result = 'draw' THEN s.reached_at ELSE g.now END,
            verified_day = CASE WHEN g.verified THEN g.today ELSE s.verified_day END,
            verified_that_day = CASE WHEN g.verified THEN g.games_today + 1 ELSE s.verified_that_day END,
            last_game_at = greatest(s.last_game_at, g.now)
          FROM alike g JOIN added ON added.player_id = g.player_id
          WHERE s.player_id = g.player_id
          RETURNING s.*, g.place, g.now, g.bonus, g.gained, g.old_score, g.games_before
        ), changes AS (
          INSERT INTO score_changes
          SELECT player_id, games_before + 1, CASE WHEN games_before > 0 THEN old_score END, score FROM sums
          WHERE listed AND (games_before = 0 OR score <> old_score)
        ), weeks AS (
          INSERT INTO player_weeks AS w (player_id, week, score, wins, losses, draws, day_points, reached_at)
          SELECT player_id, today - before, gained, won::integer, (result = 'lose')::integer, (result = 'draw')::integer,
            array_fill(0, ARRAY[before]) || gained::integer || array_fill(0, ARRAY[6 - before]), now
          FROM alike JOIN added USING (player_id)
            CROSS JOIN LATERAL (SELECT extract(isodow FROM today)::integer - 1) AS days (before)
          WHERE verified
          ON CONFLICT (player_id, week) DO UPDATE SET
            score = w.score + excluded.score,
            wins = w.wins + excluded.wins,
            losses = w.losses + excluded.losses,
            draws = w.draws + excluded.draws,
            day_points[extract(isodow FROM excluded.reached_at AT TIME ZONE 'UTC')::integer] =
              w.day_points[extract(isodow FROM excluded.reached_at AT TIME ZONE 'UTC')::integer] + excluded.score,
            reached_at = CASE WHEN excluded.draws = 1 THEN w.reached_at ELSE excluded.reached_at END
          RETURNING player_id, score
        )
        SELECT s.place, 'counted', s.now, s.bonus, s.gained, s.score, s.win_streak, s.wins, s.losses, s.draws, s.easy_wins,
          s.medium_wins, s.hard_wins, weeks.score, s.verified_that_day
        FROM sums s LEFT JOIN weeks USING (player_id)
      LOOP
        RETURN NEXT;
        counted := counted || place;
      END LOOP;
    END IF;

    IF cardinality(counted) < games_given THEN
      RETURN QUERY
        SELECT given.place, r.status, (r.game).finished_at, (r.game).bonus, (r.game).points, (r.stats).score,
          (r.stats).win_streak, (r.stats).wins, (r.stats).losses, (r.stats).draws, (r.stats).easy_wins,
          (r.stats).medium_wins, (r.stats).hard_wins, r.week_score,
          CASE WHEN given.per_day > 0 THEN verified_games_on(r.stats, given.day) ELSE 0 END
        FROM (
          SELECT * FROM ROWS FROM (GIVEN_GAMES) WITH ORDINALITY AS given (GIVEN_COLUMNS)
          WHERE NOT place = ANY (counted)
          ORDER BY player_id, place
        ) AS given
        CROSS JOIN LATERAL record_game(
          session_id, player_id, id, source, difficulty, result, seed, moves, started_at, now, per_minute, per_day, id_from
        ) AS r;
    END IF;
  END $$;
`
  .replaceAll(
    'GIVEN_GAMES',
    `json_to_recordset(in_games) AS (
      "sessionId" uuid, "playerId" uuid, id uuid, source text, difficulty text, result text, seed text, moves smallint[],
      "startedAt" timestamptz, now timestamptz, "gamesPerMinute" integer, "gamesPerDay" integer, day date,
      "idFrom" timestamptz
    )`,
  )
  .replaceAll(
    'GIVEN_COLUMNS',
    `session_id, player_id, id, source, difficulty, result, seed, moves, started_at, now, per_minute, per_day, day, id_from,
      place`,
  );
