import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `games` has one row per finished game and is the source of truth; `player_stats` has the sums. Only `record_game` writes
 * them, both in one transaction and one round trip.
 */
export class GamesAndStats1763700000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLES);
    await queryRunner.query(RECORD_GAME);
    await queryRunner.query(SCORE_COUNTS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION record_game');
    await queryRunner.query('DROP TABLE games, player_stats, score_counts');
    await queryRunner.query('DROP FUNCTION count_score');
  }
}

const TABLES = `
  CREATE TABLE player_stats (
    player_id uuid PRIMARY KEY REFERENCES players ON DELETE CASCADE,
    score integer NOT NULL DEFAULT 0,
    win_streak smallint NOT NULL DEFAULT 0 CHECK (win_streak BETWEEN 0 AND 2),
    wins integer NOT NULL DEFAULT 0,
    losses integer NOT NULL DEFAULT 0 CHECK (losses >= 0),
    draws integer NOT NULL DEFAULT 0 CHECK (draws >= 0),
    bonuses integer NOT NULL DEFAULT 0 CHECK (bonuses BETWEEN 0 AND wins / 3),
    easy_wins integer NOT NULL DEFAULT 0 CHECK (easy_wins >= 0),
    medium_wins integer NOT NULL DEFAULT 0 CHECK (medium_wins >= 0),
    hard_wins integer NOT NULL DEFAULT 0 CHECK (hard_wins >= 0),
    -- When the score, the wins or the losses last changed: who got there first stands higher.
    reached_at timestamptz NOT NULL,
    CHECK (wins = easy_wins + medium_wins + hard_wins),
    CHECK (score = wins - losses + bonuses)
  );
  CREATE INDEX player_stats_standing
    ON player_stats (score DESC, wins DESC, losses, reached_at, player_id) WHERE wins + losses + draws > 0;

  CREATE TABLE games (
    id uuid PRIMARY KEY,
    player_id uuid NOT NULL REFERENCES players ON DELETE CASCADE,
    -- The player's first game is 1, the next 2: the order in which they were added up, without a gap.
    number integer NOT NULL CHECK (number > 0),
    source text NOT NULL CHECK (source IN ('verified', 'reported')),
    difficulty text NOT NULL CHECK (difficulty IN ('easy', 'medium', 'hard')),
    result text NOT NULL CHECK (result IN ('win', 'lose', 'draw')),
    bonus boolean NOT NULL CHECK (NOT bonus OR result = 'win'),
    points smallint NOT NULL,
    seed text,
    -- The squares of both sides in the order played, X first: readable without the bot that played them.
    moves smallint[],
    started_at timestamptz,
    finished_at timestamptz NOT NULL,
    UNIQUE (player_id, number),
    CHECK (points = CASE result WHEN 'win' THEN 1 + bonus::integer WHEN 'lose' THEN -1 ELSE 0 END),
    CHECK (CASE source
      WHEN 'verified' THEN seed IS NOT NULL AND cardinality(moves) BETWEEN 5 AND 9 AND started_at IS NOT NULL
      ELSE seed IS NULL AND moves IS NULL AND started_at IS NULL END)
  );
  -- How many games of a player were counted in the last minute.
  CREATE INDEX games_recent ON games (player_id, source, finished_at);
`;

/**
 * Adds one finished game to its player, once: the same id again changes nothing. The arithmetic is that of
 * `game/scoring.ts`; a test holds the two together. The row of `player_stats` is locked first, so that games of one
 * player are added one after the other, however many servers send them.
 *
 * status: counted - repeated (that very game was there already) - differs (that id was there with another game) -
 *         too_many (as many of the player's games from that source as a minute may have) - signed_out (the session has
 *         ended). Only `counted` changes a sum.
 */
export const RECORD_GAME = `
  CREATE FUNCTION record_game(
    in_session_id uuid, in_player_id uuid, in_game_id uuid, in_source text, in_difficulty text, in_result text,
    in_seed text, in_moves smallint[], in_started_at timestamptz, in_now timestamptz, in_games_per_minute integer
  ) RETURNS TABLE (status text, game games, stats player_stats) LANGUAGE plpgsql AS $$
  DECLARE
    won boolean := in_result = 'win';
    gained smallint;
  BEGIN
    -- The player's row is locked before all others, as by the deletion of an account: one of the two waits for the other.
    PERFORM FROM sessions JOIN players ON players.id = sessions.player_id
      WHERE sessions.id = in_session_id AND player_id = in_player_id AND revoked_at IS NULL AND expires_at > in_now
      FOR KEY SHARE OF players;
    IF NOT FOUND THEN
      status := 'signed_out';
      RETURN NEXT;
      RETURN;
    END IF;

    INSERT INTO player_stats (player_id, reached_at) VALUES (in_player_id, in_now) ON CONFLICT DO NOTHING;
    SELECT * INTO stats FROM player_stats WHERE player_id = in_player_id FOR UPDATE;

    SELECT * INTO game FROM games WHERE id = in_game_id;
    IF FOUND THEN
      status := CASE
        WHEN (game.player_id, game.source, game.difficulty, game.result, game.seed, game.moves)
          IS NOT DISTINCT FROM (in_player_id, in_source, in_difficulty, in_result, in_seed, in_moves)
        THEN 'repeated' ELSE 'differs' END;
      RETURN NEXT;
      RETURN;
    END IF;

    IF in_games_per_minute > 0 AND in_games_per_minute <= (
      SELECT count(*) FROM (
        SELECT FROM games
        WHERE player_id = in_player_id AND source = in_source AND finished_at > in_now - interval '1 minute'
        LIMIT in_games_per_minute
      ) AS recent
    ) THEN
      status := 'too_many';
      RETURN NEXT;
      RETURN;
    END IF;

    game.id := in_game_id;
    game.player_id := in_player_id;
    game.number := stats.wins + stats.losses + stats.draws + 1;
    game.source := in_source;
    game.difficulty := in_difficulty;
    game.result := in_result;
    game.bonus := won AND stats.win_streak = 2;
    gained := CASE in_result WHEN 'win' THEN 1 + game.bonus::integer WHEN 'lose' THEN -1 ELSE 0 END;
    game.points := gained;
    game.seed := in_seed;
    game.moves := in_moves;
    game.started_at := in_started_at;
    game.finished_at := in_now;
    INSERT INTO games SELECT (game).*;

    UPDATE player_stats SET
      score = score + gained,
      win_streak = CASE WHEN won AND NOT game.bonus THEN win_streak + 1 ELSE 0 END,
      wins = wins + won::integer,
      losses = losses + (in_result = 'lose')::integer,
      draws = draws + (in_result = 'draw')::integer,
      bonuses = bonuses + game.bonus::integer,
      easy_wins = easy_wins + (won AND in_difficulty = 'easy')::integer,
      medium_wins = medium_wins + (won AND in_difficulty = 'medium')::integer,
      hard_wins = hard_wins + (won AND in_difficulty = 'hard')::integer,
      reached_at = CASE in_result WHEN 'draw' THEN reached_at ELSE in_now END
    WHERE player_id = in_player_id
    RETURNING * INTO stats;
    status := 'counted';
    RETURN NEXT;
  END $$;
`;

/**
 * How many players have each score, kept by a trigger whatever changes `player_stats`: a standing is then the sum over the
 * higher scores, however many players there are. Two scores change in the order of their numbers, so that two players
 * who pass each other never wait for one another in a circle.
 */
const SCORE_COUNTS = `
  CREATE TABLE score_counts (
    score integer PRIMARY KEY,
    players integer NOT NULL CHECK (players >= 0)
  ) WITH (fillfactor = 50);

  CREATE FUNCTION count_score() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    change record;
  BEGIN
    FOR change IN
      SELECT score, sum(amount)::integer AS amount FROM (
        SELECT NEW.score AS score, 1 AS amount WHERE TG_OP <> 'DELETE' AND NEW.wins + NEW.losses + NEW.draws > 0
        UNION ALL
        SELECT OLD.score, -1 WHERE TG_OP <> 'INSERT' AND OLD.wins + OLD.losses + OLD.draws > 0
      ) AS changes GROUP BY score HAVING sum(amount) <> 0 ORDER BY score
    LOOP
      UPDATE score_counts SET players = players + change.amount WHERE score = change.score;
      IF NOT FOUND THEN
        INSERT INTO score_counts VALUES (change.score, change.amount)
          ON CONFLICT (score) DO UPDATE SET players = score_counts.players + change.amount;
      END IF;
    END LOOP;
    RETURN NULL;
  END $$;

  CREATE TRIGGER player_stats_count_score AFTER INSERT OR UPDATE OR DELETE ON player_stats
    FOR EACH ROW EXECUTE FUNCTION count_score();
`;
