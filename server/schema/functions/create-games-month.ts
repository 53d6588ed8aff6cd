/**
 * Creates a partition of games for the time from `in_from`, or from the beginning where it is null, to `in_until`. It locks
 * only the new partition and games_default: a new game does not wait, a search for an old one does.
 */
export const createGamesMonth = `
  CREATE FUNCTION create_games_month(in_partition text, in_from timestamptz, in_until timestamptz) RETURNS void
  LANGUAGE plpgsql SET timezone = 'UTC' AS $$
  BEGIN
    EXECUTE format('CREATE TABLE %I (LIKE games INCLUDING CONSTRAINTS, PRIMARY KEY (player_id, id))', in_partition);
    EXECUTE format('CREATE INDEX ON %I (player_id, finished_at)', in_partition);
    LOCK TABLE games_default IN ACCESS EXCLUSIVE MODE;
    IF EXISTS (
      SELECT 1 FROM games_default WHERE finished_at >= coalesce(in_from, '-infinity') AND finished_at < in_until
    ) THEN
      EXECUTE format('INSERT INTO %I SELECT * FROM games_default WHERE finished_at >= $1 AND finished_at < $2', in_partition)
        USING coalesce(in_from, '-infinity'), in_until;
      DELETE FROM games_default WHERE finished_at >= coalesce(in_from, '-infinity') AND finished_at < in_until;
    END IF;
    EXECUTE format('ALTER TABLE games ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%L)',
      in_partition, coalesce(quote_literal(in_from), 'MINVALUE'), in_until);
  END $$
`;
