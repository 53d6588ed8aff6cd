const DAYS = [1, 2, 3, 4, 5, 6, 7];
const sumOfDays = DAYS.map((day) => `sum(day_points[${day}])::integer`).join(', ');
const pointsOfDays = DAYS.map((day) => `CASE WHEN day = ${day} THEN points ELSE 0 END`).join(', ');

/** The games after the archived ones. An archived game may still be in the table, or be back for reading. */
const LIVE_GAMES = `games g LEFT JOIN archived_stats a ON a.player_id = g.player_id
        WHERE g.player_id = ANY(owners) AND g.number > coalesce(a.up_to, 0)`;

/**
 * Numbers the games of a player again, from the last archived one on, and recomputes bonuses and all sums from them and the
 * sums of the archived games, by the rules of `game/scoring.ts`. A test compares the two. All score changes are folded
 * first, so that none has the number of a later game.
 *
 * Games of a merged account stay under the id of its player, with a streak of their own.
 */
export const RECOUNT_PLAYER = `
  CREATE OR REPLACE FUNCTION recount_player(in_player_id uuid) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    stored player_stats;
    stats player_stats;
    owners uuid[] := ARRAY[in_player_id];
    owner uuid;
    base integer;
    base_streak integer;
    live integer;
    last_without_win integer;
    streak integer;
  BEGIN
    -- From here on no month leaves the table.
    PERFORM 1 FROM games g WHERE g.player_id = in_player_id LIMIT 1;
    IF EXISTS (SELECT 1 FROM archives WHERE state = 'frozen') THEN
      RAISE EXCEPTION 'An archive is not finished, so no game can be recounted. Finish it first: ttt archive create'
        USING ERRCODE = 'object_in_use';
    END IF;
    SELECT s.* INTO stored FROM player_stats s WHERE s.player_id = in_player_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      INSERT INTO player_stats (player_id, score, reached_at) VALUES (in_player_id, 0, now()) RETURNING * INTO stored;
    END IF;
    PERFORM pg_advisory_xact_lock(7463202);
    PERFORM fold_score_changes(2147483647);
    owners := owners || array(SELECT m.merged_id FROM merged_players m WHERE m.player_id = in_player_id);

    FOREACH owner IN ARRAY owners LOOP
      SELECT a.up_to, a.win_streak INTO base, base_streak FROM archived_stats a WHERE a.player_id = owner;
      base := coalesce(base, 0);
      base_streak := coalesce(base_streak, 0);
      WITH runs AS (
        SELECT g.id, g.finished_at, g.result,
          base + row_number() OVER (ORDER BY g.number, g.finished_at, g.id)::integer AS number,
          count(*) FILTER (WHERE g.result <> 'win') OVER (ORDER BY g.number, g.finished_at, g.id) AS run
        FROM games g WHERE g.player_id = owner AND g.number > base
      ), counted AS (
        SELECT id, finished_at, result, number,
          result = 'win' AND (
            row_number() OVER (PARTITION BY run, result = 'win' ORDER BY number)
            -- The first wins continue the streak of the archived games.
            + CASE WHEN run = 0 THEN base_streak ELSE 0 END
          ) % 3 = 0 AS bonus
        FROM runs
      )
      UPDATE games g SET number = c.number, bonus = c.bonus,
          points = CASE WHEN c.result = 'win' THEN 1 + c.bonus::integer WHEN c.result = 'lose' THEN -1 ELSE 0 END
        FROM counted c
        WHERE g.player_id = owner AND g.finished_at = c.finished_at AND g.id = c.id
          AND (g.number, g.bonus) IS DISTINCT FROM (c.number, c.bonus);
      SELECT count(*), max(g.number) FILTER (WHERE g.result <> 'win') INTO live, last_without_win
        FROM games g WHERE g.player_id = owner AND g.number > base;
      IF owner = in_player_id THEN
        streak := CASE WHEN last_without_win IS NULL THEN base_streak + live ELSE base + live - last_without_win END % 3;
      ELSIF live + base = 0 THEN
        -- A merged account without games leaves no row, and nothing leads to its voided games any more.
        DELETE FROM merged_players m WHERE m.player_id = in_player_id AND m.merged_id = owner;
        DELETE FROM voided_games v WHERE v.player_id = owner;
      ELSE
        SELECT live + coalesce(sum(a.wins + a.losses + a.draws), 0) INTO live FROM archived_stats a WHERE a.player_id = owner;
        UPDATE merged_players m SET games = live WHERE m.player_id = in_player_id AND m.merged_id = owner;
      END IF;
    END LOOP;

    SELECT coalesce(sum(part.wins - part.losses + part.bonuses), 0), coalesce(sum(part.wins), 0), coalesce(sum(part.losses), 0),
        coalesce(sum(part.draws), 0), coalesce(sum(part.bonuses), 0), coalesce(sum(part.easy_wins), 0),
        coalesce(sum(part.medium_wins), 0), coalesce(sum(part.hard_wins), 0),
        coalesce(max(part.decided_at), min(part.first_at), stored.reached_at), max(part.verified_day), max(part.last_at)
      INTO stats.score, stats.wins, stats.losses, stats.draws, stats.bonuses, stats.easy_wins, stats.medium_wins,
        stats.hard_wins, stats.reached_at, stats.verified_day, stats.last_game_at
      FROM (
        SELECT g.player_id, (g.result = 'win')::integer AS wins, (g.result = 'lose')::integer AS losses,
          (g.result = 'draw')::integer AS draws, g.bonus::integer AS bonuses,
          (g.result = 'win' AND g.difficulty = 'easy')::integer AS easy_wins,
          (g.result = 'win' AND g.difficulty = 'medium')::integer AS medium_wins,
          (g.result = 'win' AND g.difficulty = 'hard')::integer AS hard_wins,
          CASE WHEN g.result <> 'draw' THEN g.finished_at END AS decided_at, g.finished_at AS first_at,
          CASE WHEN g.source = 'verified' THEN (g.finished_at AT TIME ZONE 'UTC')::date END AS verified_day,
          g.finished_at AS last_at
        FROM ${LIVE_GAMES}
        UNION ALL
        SELECT a.player_id, a.wins, a.losses, a.draws, a.bonuses, a.easy_wins, a.medium_wins, a.hard_wins, a.decided_at,
          a.first_at, a.verified_day, a.last_at
        FROM archived_stats a WHERE a.player_id = ANY(owners)
      ) AS part;
    SELECT count(*) INTO stats.verified_that_day FROM ${LIVE_GAMES}
      AND g.source = 'verified' AND (g.finished_at AT TIME ZONE 'UTC')::date = stats.verified_day;
    SELECT stats.verified_that_day + coalesce(sum(a.verified_that_day), 0) INTO stats.verified_that_day
      FROM archived_stats a WHERE a.player_id = ANY(owners) AND a.verified_day = stats.verified_day;
    UPDATE player_stats s SET score = stats.score, wins = stats.wins, losses = stats.losses, draws = stats.draws,
        bonuses = stats.bonuses, easy_wins = stats.easy_wins, medium_wins = stats.medium_wins, hard_wins = stats.hard_wins,
        win_streak = streak, reached_at = stats.reached_at, last_game_at = stats.last_game_at,
        verified_day = stats.verified_day, verified_that_day = stats.verified_that_day
      WHERE s.player_id = in_player_id;

    DELETE FROM player_weeks w WHERE w.player_id = in_player_id;
    INSERT INTO player_weeks (player_id, week, score, wins, losses, draws, day_points, reached_at)
      SELECT in_player_id, week, ${DAYS.map((day) => `sum(day_points[${day}])`).join(' + ')}, sum(wins), sum(losses), sum(draws),
        ARRAY[${sumOfDays}], coalesce(max(decided_at), min(first_at))
      FROM (
        SELECT player_id, week, (result = 'win')::integer AS wins, (result = 'lose')::integer AS losses,
          (result = 'draw')::integer AS draws, ARRAY[${pointsOfDays}] AS day_points,
          CASE WHEN result <> 'draw' THEN finished_at END AS decided_at, finished_at AS first_at
        FROM (
          SELECT g.player_id, g.result, g.points, g.finished_at,
            date_trunc('week', g.finished_at AT TIME ZONE 'UTC')::date AS week,
            extract(isodow FROM g.finished_at AT TIME ZONE 'UTC') AS day
          FROM ${LIVE_GAMES} AND g.source = 'verified'
        ) AS verified
        UNION ALL
        SELECT w.player_id, w.week, w.wins, w.losses, w.draws, w.day_points, w.decided_at, w.first_at
        FROM archived_weeks w WHERE w.player_id = ANY(owners)
      ) AS part
      GROUP BY week;

    IF stored.listed THEN
      PERFORM change_score(in_player_id,
        CASE WHEN stored.wins + stored.losses + stored.draws > 0 THEN stored.score END,
        CASE WHEN stats.wins + stats.losses + stats.draws > 0 THEN stats.score END);
    END IF;
  END $$;
`;
