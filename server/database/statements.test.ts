import { expect, test } from '@jest/globals';
import { statementName } from './statements.js';

test.each([
  ['SELECT 1', 'SELECT'],
  ['SELECT * FROM players p JOIN player_stats s ON s.player_id = p.id WHERE p.id = $1', 'SELECT players, player_stats'],
  ['SELECT "a"."b" FROM "sessions" "a" WHERE "a"."id" = $1', 'SELECT sessions'],
  ['\n  INSERT INTO sign_in_codes (code) VALUES ($1)', 'INSERT sign_in_codes'],
  ['INSERT INTO players (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET name = $2', 'INSERT players'],
  ['UPDATE "sessions" SET "revoked_at" = $1', 'UPDATE sessions'],
  ['DELETE FROM players WHERE id = $1', 'DELETE players'],
  ["SELECT name FROM players WHERE name = 'from secret' -- from comment", 'SELECT players'],
  ['WITH old AS (SELECT id FROM sessions) DELETE FROM players USING old', 'WITH sessions, players'],
  ['SELECT x FROM set_config($1, $2, true) AS l CROSS JOIN LATERAL count_all($3)', 'SELECT set_config, count_all'],
  ['INSERT INTO players (id) SELECT id FROM json_to_recordset($1) AS given (id uuid)', 'INSERT players'],
  ['START TRANSACTION; SET LOCAL lock_timeout = 2000', 'START'],
  ['COMMIT', 'COMMIT'],
  ['', 'EMPTY'],
])('the name of %j is %j', (text, name) => {
  expect(statementName(text)).toBe(name);
});
