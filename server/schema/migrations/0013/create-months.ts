/**
 * Creates one partition of `games`, and moves its games from games_default there. It locks only the new partition and
 * games_default: a new game does not wait, a search for an old one does. The first partition has no beginning.
 */
export const CREATE_MONTH = `
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
  END $$;
`;

/**
 * Creates the partitions games_YYYY_MM of the month of `in_now` and of the two months after it, except those that are
 * archived, and returns how many it has created.
 */
export const CREATE_MONTHS = `
  CREATE OR REPLACE FUNCTION create_games_months(in_now timestamptz) RETURNS integer LANGUAGE plpgsql
  SET lock_timeout = '300ms' SET timezone = 'UTC' AS $$
  DECLARE
    month timestamptz;
    partition name;
    -- The first month that is neither in games_before_YYYY_MM nor archived.
    first timestamptz := greatest(
      (SELECT to_date(right(relname, 7), 'YYYY_MM') FROM pg_inherits JOIN pg_class ON oid = inhrelid
        WHERE inhparent = 'games'::regclass AND relname ~ '^games_before_'),
      (SELECT max(until) FROM archives));
    created integer := 0;
  BEGIN
    FOR ahead IN 0..2 LOOP
      month := date_trunc('month', in_now) + make_interval(months => ahead);
      partition := 'games_' || to_char(month, 'YYYY_MM');
      CONTINUE WHEN month < first OR to_regclass(partition) IS NOT NULL;
      -- One server at a time. 7463201 and 7463202 are the locks of the migrations and of the fold.
      IF NOT pg_try_advisory_xact_lock(7463203) THEN RETURN created; END IF;
      CONTINUE WHEN to_regclass(partition) IS NOT NULL;
      PERFORM create_games_month(partition, month, month + interval '1 month');
      created := created + 1;
    END LOOP;
    RETURN created;
  END $$;
`;
