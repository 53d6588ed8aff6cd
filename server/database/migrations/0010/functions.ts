import { RECORD_GAME as RECORD_GAME_OF_ALL } from '../0007/record-game.js';

/** A player who is not listed is not in the counts of scores. */
export const RECORD_GAME = changed(RECORD_GAME_OF_ALL, [
  ['CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'],
  ['IF stats.score IS DISTINCT FROM old_score THEN', 'IF stats.listed AND stats.score IS DISTINCT FROM old_score THEN'],
]);

/**
 * Takes a player off the boards or puts the player back, and counts the player out of the scores or in again. The number
 * of the change is below all others of the player, because the numbers from 1 belong to games and 0 to the deletion.
 */
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
      INSERT INTO score_changes
        SELECT in_player_id, least(min(c.game), 0) - 1,
          CASE WHEN NOT in_listed THEN stats.score END, CASE WHEN in_listed THEN stats.score END
        FROM score_changes c WHERE c.player_id = in_player_id;
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
    DELETE FROM games WHERE player_id = in_player_id;
    DELETE FROM sessions WHERE player_id = in_player_id;
    DELETE FROM players WHERE id = in_player_id;
  END $$;
`;

/** The text with the replacements, each of which must be there. */
function changed(text: string, replacements: readonly (readonly [from: string, to: string])[]): string {
  return replacements.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`The function has no "${from}"`);
    return before.replace(from, () => to);
  }, text);
}
