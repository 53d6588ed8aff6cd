/**
 * One row for each finished game: the truth, of which all sums are a fold. The rules of `game/` decide result, bonus and
 * points.
 */
export const games = `
  CREATE TABLE games (
    id uuid NOT NULL,
    player_id uuid NOT NULL,
    -- The player's first game has 1, the next one 2: the order in which they were counted.
    number integer NOT NULL,
    -- verified: the server has replayed the game. reported: the client sent the result alone, without seed and moves.
    source text NOT NULL,
    difficulty text NOT NULL,
    result text NOT NULL,
    bonus boolean NOT NULL,
    points smallint NOT NULL,
    seed text,
    -- The squares of both sides in the order played, X first.
    moves smallint[],
    started_at timestamptz,
    -- When the game was counted.
    finished_at timestamptz NOT NULL,
    -- Whether a program has sent it with a personal token.
    by_program boolean NOT NULL DEFAULT false,
    PRIMARY KEY (player_id, id)
  );
  CREATE INDEX games_time ON games (player_id, finished_at);
`;
