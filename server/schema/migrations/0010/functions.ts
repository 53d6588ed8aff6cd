import { RECORD_GAME as RECORD_GAME_OF_ALL } from '../0008/record-game.js';

/** A voided game that is sent again: it is known, and no sum changes. */
const VOIDED = `
    IF stats.voided > 0 THEN
      SELECT v.* INTO game FROM voided_games v WHERE v.player_id = in_player_id AND v.id = in_game_id;
      IF FOUND THEN
        status := CASE
          WHEN (game.source, game.difficulty, game.result, game.seed, game.moves)
            IS NOT DISTINCT FROM (in_source, in_difficulty, in_result, in_seed, in_moves)
          THEN 'repeated' ELSE 'differs' END;
        RETURN NEXT;
        RETURN;
      END IF;
    END IF;
`;
const GAMES_BEFORE = 'games_before := stats.wins + stats.losses + stats.draws;\n';

/** A player who is not listed is not in the counts of scores. A voided game does not count again. */
export const RECORD_GAME = changed(RECORD_GAME_OF_ALL, [
  ['CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'],
  [GAMES_BEFORE, `${GAMES_BEFORE}${VOIDED}`],
  ['IF stats.score IS DISTINCT FROM old_score THEN', 'IF stats.listed AND stats.score IS DISTINCT FROM old_score THEN'],
]);

/**
 * Numbers the games of a player again and recomputes bonuses and all sums from them, by the rules of `game/scoring.ts`. A
 * test compares the two. All score changes are folded first, so that none has the number of a later game.
 *
 * Games of a merged account stay under the id of its player, with a streak of their own. A later migration creates
 * `merged_players`.
 */
export const RECOUNT_PLAYER = `
  CREATE FUNCTION recount_player(in_player_id uuid) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    stored player_stats;
    stats player_stats;
    owners uuid[] := ARRAY[in_player_id];
    owner uuid;
  BEGIN
    SELECT s.* INTO stored FROM player_stats s WHERE s.player_id = in_player_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      INSERT INTO player_stats (player_id, score, reached_at) VALUES (in_player_id, 0, now()) RETURNING * INTO stored;
    END IF;
    PERFORM pg_advisory_xact_lock(7463202);
    PERFORM fold_score_changes(2147483647);

    IF to_regclass('merged_players') IS NOT NULL THEN
      owners := owners || array(SELECT m.merged_id FROM merged_players m WHERE m.player_id = in_player_id);
    END IF;

    FOREACH owner IN ARRAY owners LOOP
      WITH runs AS (
        SELECT g.id, g.finished_at, g.result, row_number() OVER (ORDER BY g.number, g.finished_at, g.id)::integer AS number,
          count(*) FILTER (WHERE g.result <> 'win') OVER (ORDER BY g.number, g.finished_at, g.id) AS run
        FROM games g WHERE g.player_id = owner
      ), counted AS (
        SELECT id, finished_at, result, number,
          result = 'win' AND row_number() OVER (PARTITION BY run, result = 'win' ORDER BY number) % 3 = 0 AS bonus
        FROM runs
      )
      UPDATE games g SET number = c.number, bonus = c.bonus,
          points = CASE WHEN c.result = 'win' THEN 1 + c.bonus::integer WHEN c.result = 'lose' THEN -1 ELSE 0 END
        FROM counted c
        WHERE g.player_id = owner AND g.finished_at = c.finished_at AND g.id = c.id
          AND (g.number, g.bonus) IS DISTINCT FROM (c.number, c.bonus);
      IF owner <> in_player_id THEN
        -- A merged account without games leaves no row.
        DELETE FROM merged_players m WHERE m.player_id = in_player_id AND m.merged_id = owner
          AND NOT EXISTS (SELECT 1 FROM games g WHERE g.player_id = owner);
        -- Nothing leads to its voided games any more.
        DELETE FROM voided_games v WHERE v.player_id = owner
          AND NOT EXISTS (SELECT 1 FROM games g WHERE g.player_id = owner);
        UPDATE merged_players m SET games = (SELECT count(*) FROM games g WHERE g.player_id = owner)
          WHERE m.player_id = in_player_id AND m.merged_id = owner;
      END IF;
    END LOOP;

    SELECT coalesce(sum(g.points), 0), count(*) FILTER (WHERE g.result = 'win'), count(*) FILTER (WHERE g.result = 'lose'),
        count(*) FILTER (WHERE g.result = 'draw'), count(*) FILTER (WHERE g.bonus),
        count(*) FILTER (WHERE g.result = 'win' AND g.difficulty = 'easy'),
        count(*) FILTER (WHERE g.result = 'win' AND g.difficulty = 'medium'),
        count(*) FILTER (WHERE g.result = 'win' AND g.difficulty = 'hard'),
        (count(*) FILTER (WHERE g.player_id = in_player_id)
          - coalesce(max(g.number) FILTER (WHERE g.result <> 'win' AND g.player_id = in_player_id), 0)) % 3,
        coalesce(max(g.finished_at) FILTER (WHERE g.result <> 'draw'), min(g.finished_at), stored.reached_at),
        max((g.finished_at AT TIME ZONE 'UTC')::date) FILTER (WHERE g.source = 'verified'),
        max(g.finished_at)
      INTO stats.score, stats.wins, stats.losses, stats.draws, stats.bonuses, stats.easy_wins, stats.medium_wins,
        stats.hard_wins, stats.win_streak, stats.reached_at, stats.verified_day, stats.last_game_at
      FROM games g WHERE g.player_id = ANY(owners);
    UPDATE player_stats s SET score = stats.score, wins = stats.wins, losses = stats.losses, draws = stats.draws,
        bonuses = stats.bonuses, easy_wins = stats.easy_wins, medium_wins = stats.medium_wins, hard_wins = stats.hard_wins,
        win_streak = stats.win_streak, reached_at = stats.reached_at, last_game_at = stats.last_game_at,
        verified_day = stats.verified_day,
        verified_that_day = (
          SELECT count(*) FROM games g WHERE g.player_id = ANY(owners) AND g.source = 'verified'
            AND (g.finished_at AT TIME ZONE 'UTC')::date = stats.verified_day
        )
      WHERE s.player_id = in_player_id
      RETURNING s.* INTO stats;

    DELETE FROM player_weeks w WHERE w.player_id = in_player_id;
    INSERT INTO player_weeks (player_id, week, score, wins, losses, draws, day_points, reached_at)
      SELECT in_player_id, week, sum(points), count(*) FILTER (WHERE result = 'win'), count(*) FILTER (WHERE result = 'lose'),
        count(*) FILTER (WHERE result = 'draw'), ARRAY[${pointsOfDays()}],
        coalesce(max(finished_at) FILTER (WHERE result <> 'draw'), min(finished_at))
      FROM (
        SELECT g.result, g.points, g.finished_at, date_trunc('week', g.finished_at AT TIME ZONE 'UTC')::date AS week,
          extract(isodow FROM g.finished_at AT TIME ZONE 'UTC') AS day
        FROM games g WHERE g.player_id = ANY(owners) AND g.source = 'verified'
      ) AS verified
      GROUP BY week;

    IF stored.listed THEN
      PERFORM change_score(in_player_id,
        CASE WHEN stored.wins + stored.losses + stored.draws > 0 THEN stored.score END,
        CASE WHEN stats.wins + stats.losses + stats.draws > 0 THEN stats.score END);
    END IF;
  END $$;
`;

/**
 * Counts the player out of one score and into another; null is no score. The number of the change is below all others of
 * the player, because the numbers from 1 belong to games and 0 to the deletion.
 */
export const CHANGE_SCORE = `
  CREATE FUNCTION change_score(in_player_id uuid, in_old_score integer, in_new_score integer) RETURNS void
  LANGUAGE plpgsql AS $$
  BEGIN
    IF in_old_score IS NOT DISTINCT FROM in_new_score THEN RETURN; END IF;
    INSERT INTO score_changes
      SELECT in_player_id, least(min(c.game), 0) - 1, in_old_score, in_new_score
      FROM score_changes c WHERE c.player_id = in_player_id;
  END $$;
`;

/** Takes a player off the boards or puts the player back, and counts the player out of the scores or in again. */
export const CHANGE_LISTED = `
  CREATE FUNCTION change_listed(in_player_id uuid, in_listed boolean, in_now timestamptz) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    stats player_stats;
  BEGIN
    INSERT INTO player_stats (player_id, score, reached_at) VALUES (in_player_id, 0, in_now) ON CONFLICT DO NOTHING;
    SELECT s.* INTO stats FROM player_stats s WHERE s.player_id = in_player_id FOR NO KEY UPDATE;
    IF stats.listed = in_listed THEN RETURN; END IF;
    UPDATE player_stats SET listed = in_listed WHERE player_id = in_player_id;
    IF stats.wins + stats.losses + stats.draws > 0 THEN
      PERFORM change_score(in_player_id,
        CASE WHEN NOT in_listed THEN stats.score END, CASE WHEN in_listed THEN stats.score END);
    END IF;
  END $$;
`;

/** Deletes a player with all rows. */
export const DELETE_PLAYER = `
  CREATE FUNCTION delete_player(in_player_id uuid) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    -- The exchange of a code, a sign-in and record_game lock in this order too: one of the two waits for the other.
    DELETE FROM sign_in_codes WHERE player_id = in_player_id;
    DELETE FROM identities WHERE player_id = in_player_id;
    PERFORM 1 FROM player_stats WHERE player_id = in_player_id FOR UPDATE;
    PERFORM 1 FROM players WHERE id = in_player_id FOR UPDATE;
    WITH deleted AS (DELETE FROM player_stats WHERE player_id = in_player_id RETURNING *)
    INSERT INTO score_changes
      SELECT player_id, 0, score, NULL FROM deleted WHERE listed AND wins + losses + draws > 0;
    DELETE FROM player_weeks WHERE player_id = in_player_id;
    DELETE FROM voided_games WHERE player_id = in_player_id;
    DELETE FROM games WHERE player_id = in_player_id;
    DELETE FROM sessions WHERE player_id = in_player_id;
    DELETE FROM players WHERE id = in_player_id;
  END $$;
`;

/** The points of each day of a week, Monday first. */
function pointsOfDays(): string {
  return [1, 2, 3, 4, 5, 6, 7].map((day) => `coalesce(sum(points) FILTER (WHERE day = ${day}), 0)::integer`).join(', ');
}

/** The text with the replacements, each of which must be there. */
function changed(text: string, replacements: readonly (readonly [from: string, to: string])[]): string {
  return replacements.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`The function has no "${from}"`);
    return before.replace(from, () => to);
  }, text);
}
