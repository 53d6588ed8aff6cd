/**
 * Creates the partitions games_YYYY_MM of the month of `in_now` and of the two months after it, except those that are
 * archived. Returns how many it has created.
 */
export const createGamesMonths = `
  CREATE FUNCTION create_games_months(in_now timestamptz) RETURNS integer
  LANGUAGE plpgsql SET lock_timeout = '300ms' SET timezone = 'UTC' AS $$
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
      -- One server at a time. 7463201 is the lock of the migrations.
      IF NOT pg_try_advisory_xact_lock(7463203) THEN RETURN created; END IF;
      CONTINUE WHEN to_regclass(partition) IS NOT NULL;
      PERFORM create_games_month(partition, month, month + interval '1 month');
      created := created + 1;
    END LOOP;
    RETURN created;
  END $$
`;
