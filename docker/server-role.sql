-- The role that the server connects as: it owns the database and what is in it, and rules over nothing else.
-- The image runs this once, on an empty volume. On a volume from before this role, run it once by hand (see README.md).
DO $$
DECLARE
  hash text := (SELECT rolpassword FROM pg_authid WHERE rolname = current_user);
  name text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tictactoe_server') THEN
    CREATE ROLE tictactoe_server LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
  END IF;

  -- DATABASE_PASSWORD becomes the server's. The superuser keeps none: only a shell in this container can be it.
  IF hash IS NOT NULL THEN
    EXECUTE format('ALTER ROLE tictactoe_server PASSWORD %L', hash);
    EXECUTE format('ALTER ROLE %I PASSWORD NULL', current_user);
  END IF;

  EXECUTE format('ALTER DATABASE %I OWNER TO tictactoe_server', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  FOR name IN SELECT oid::regclass FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
  LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO tictactoe_server', name);
  END LOOP;
  FOR name IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace LOOP
    EXECUTE format('ALTER ROUTINE %s OWNER TO tictactoe_server', name);
  END LOOP;
END $$;
