/**
 * Creates the partitions games_YYYY_MM of the month of `in_now` and of the two months after it, and returns how many it has
 * created. It locks only the new partition and games_default: a new game does not wait, a search for an old one does.
 */
export const CREATE_MONTHS = `
  CREATE FUNCTION create_games_months(in_now timestamptz) RETURNS integer LANGUAGE plpgsql
  SET lock_timeout = '300ms' SET timezone = 'UTC' AS $$
  DECLARE
    month timestamptz;
    partition name;
    -- The first month that is not in games_before_YYYY_MM.
    first timestamptz := (SELECT to_date(right(relname, 7), 'YYYY_MM') FROM pg_inherits JOIN pg_class ON oid = inhrelid
      WHERE inhparent = 'games'::regclass AND relname ~ '^games_before_');
    created integer := 0;
  BEGIN
    FOR ahead IN 0..2 LOOP
      month := date_trunc('month', in_now) + make_interval(months => ahead);
      partition := 'games_' || to_char(month, 'YYYY_MM');
      CONTINUE WHEN month < first OR to_regclass(partition) IS NOT NULL;
      -- One server at a time. 7463201 and 7463202 are the locks of the migrations and of the fold.
      IF NOT pg_try_advisory_xact_lock(7463203) THEN RETURN created; END IF;
      CONTINUE WHEN to_regclass(partition) IS NOT NULL;

      EXECUTE format('CREATE TABLE %I (LIKE games INCLUDING CONSTRAINTS, PRIMARY KEY (player_id, id))', partition);
      EXECUTE format('CREATE INDEX ON %I (player_id, finished_at)', partition);
      LOCK TABLE games_default IN ACCESS EXCLUSIVE MODE;
      IF EXISTS (SELECT 1 FROM games_default WHERE finished_at >= month AND finished_at < month + interval '1 month') THEN
        EXECUTE format('INSERT INTO %I SELECT * FROM games_default WHERE finished_at >= $1 AND finished_at < $2', partition)
          USING month, month + interval '1 month';
        DELETE FROM games_default WHERE finished_at >= month AND finished_at < month + interval '1 month';
      END IF;
      EXECUTE format('ALTER TABLE games ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        partition, month, month + interval '1 month');
      created := created + 1;
    END LOOP;
    RETURN created;
  END $$;
`;
