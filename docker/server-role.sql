-- Only for the image, which runs this script once, on an empty volume: it creates the role of the server, which owns the database
-- and its objects but is not a superuser.
DO $$
BEGIN
  IF current_user <> 'tictactoe' OR EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace) THEN
    RAISE 'This script takes password and database from %, and is only for the empty volume of the image.', current_user;
  END IF;
  CREATE ROLE tictactoe_server LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;

  -- DATABASE_PASSWORD becomes the password of this role. The superuser has none, so it can connect only from this container.
  EXECUTE format(
    'ALTER ROLE tictactoe_server PASSWORD %L', (SELECT rolpassword FROM pg_authid WHERE rolname = current_user)
  );
  ALTER ROLE tictactoe PASSWORD NULL;

  EXECUTE format('ALTER DATABASE %I OWNER TO tictactoe_server', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
END $$;
