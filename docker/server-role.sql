-- Creates the role of the server, which owns the database and its objects but is not a superuser.
-- The image runs this script once, on an empty volume.
DO $$
DECLARE
  hash text := (SELECT rolpassword FROM pg_authid WHERE rolname = current_user);
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
END $$;
