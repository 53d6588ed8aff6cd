-- Creates the database in which `ttt backup verify` restores a backup, because the role of the server creates no database.
-- The image runs this script once, on an empty volume. On an older volume, run it once by hand (see docs/backups.md).
CREATE DATABASE tictactoe_ttt_scratch OWNER tictactoe_server;
REVOKE ALL ON DATABASE tictactoe_ttt_scratch FROM PUBLIC;
