/** One row for each partition of games that an archive has begun to take out. */
export const archives = `
  CREATE TABLE archives (
    partition text PRIMARY KEY,
    -- The partition has the games before this time.
    until timestamptz NOT NULL,
    -- frozen: the archive is not finished. archived: the games are in the file alone. restoring, restored: they are back.
    state text NOT NULL CHECK (state IN ('frozen', 'archived', 'restoring', 'restored')),
    -- The newest command that works on it. An older one that is still running may not finish.
    attempt uuid NOT NULL,
    file text,
    sha256 text,
    games bigint,
    players bigint,
    archived_at timestamptz,
    CHECK (state = 'frozen' OR (file IS NOT NULL AND sha256 IS NOT NULL AND games IS NOT NULL AND players IS NOT NULL))
  );
`;
