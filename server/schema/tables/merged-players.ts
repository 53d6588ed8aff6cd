/** The games of a merged account stay under the id of its player, so that links to them stay valid. */
export const mergedPlayers = `
  CREATE TABLE merged_players (
    player_id uuid NOT NULL,
    -- The player who is gone.
    merged_id uuid NOT NULL,
    -- How many games stay under that id.
    games integer NOT NULL CHECK (games > 0),
    merged_at timestamptz NOT NULL,
    PRIMARY KEY (player_id, merged_id)
  );
`;
