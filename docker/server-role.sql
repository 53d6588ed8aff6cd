-- Creates the role of the server, which owns the database and its objects but is not a superuser.
-- The image runs this script once, on an empty volume. On an older volume, run it once by hand (see README.md).
DO $$
DECLARE
  hash text := (SELECT rolpassword FROM pg_authid WHERE rolname = current_user);
  name text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tictactoe_server') THEN
    CREATE ROLE tictactoe_server LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
  END IF;

  -- DATABASE_PASSWORD becomes the password of this role. The superuser has none, so it can connect only from this container.
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
