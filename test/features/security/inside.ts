/** What no answer may hold: stack traces, SQL, paths of ours, names of what we are built with. */
export const INSIDE =
  /stack|node_modules|\.[jt]s\b|\bat [\w.<>]+ \(|SELECT |INSERT |UPDATE |relation "|column "|syntax error at|ECONN|typeorm|postgres|\/(usr|home|root|tmp|app|work)\/|nestjs|express|zod/i;
