/**
 * Deletes a player with all rows, also the sums of archived games. An archive or its restore adds rows under the same lock,
 * so it adds none for a player who is being deleted.
 */
export const DELETE_PLAYER = `
  CREATE FUNCTION delete_player(in_player_id uuid) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    merged uuid;
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(7463204);
    PERFORM delete_unmerged_player(in_player_id);
    -- A merge locks the players, so none comes after the statement before.
    FOR merged IN SELECT m.merged_id FROM merged_players m WHERE m.player_id = in_player_id LOOP
      DELETE FROM games WHERE player_id = merged;
      DELETE FROM voided_games WHERE player_id = merged;
      DELETE FROM archived_stats WHERE player_id = merged;
      DELETE FROM archived_weeks WHERE player_id = merged;
    END LOOP;
    DELETE FROM merged_players WHERE player_id = in_player_id;
    DELETE FROM archived_stats WHERE player_id = in_player_id;
    DELETE FROM archived_weeks WHERE player_id = in_player_id;
  END $$;
`;
