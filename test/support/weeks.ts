import { query, type Server } from './server.js';

/** Ten weeks that are over, the newest first. */
export const MONDAYS = Array.from({ length: 10 }, (_none, at) => {
  const now = new Date();
  const monday = now.getUTCDate() - ((now.getUTCDay() + 6) % 7) - 7 * (at + 2);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), monday)).toISOString().slice(0, 10);
});

/** Adds so many players to a week, the first with the most wins. Only the sums are stored, not the games. */
export async function fillWeek(server: Server, week: string, players: number): Promise<void> {
  await query(
    server,
    `WITH made AS (
       INSERT INTO players (name, provider, created_at)
       SELECT 'Number ' || n, 'google', now() FROM generate_series(1, $2::integer) AS n RETURNING id, substr(name, 8)::integer AS n
     ), stats AS (
       INSERT INTO player_stats (player_id, score, reached_at) SELECT id, 0, now() FROM made
     )
     INSERT INTO player_weeks (player_id, week, score, wins, losses, draws, reached_at)
     SELECT id, $1, points - 1, points, 1, n % 4, now()
     FROM made CROSS JOIN LATERAL (SELECT 3 * ($2 + 1 - n) AS points) AS won`,
    [week, players],
  );
}
