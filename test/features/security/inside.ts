/** Internals that no answer may contain: stack traces, SQL, paths, names of packages. */
export const INSIDE =
  /stack|node_modules|\.[jt]s\b|\bat [\w.<>]+ \(|SELECT |INSERT |UPDATE |relation "|column "|syntax error at|ECONN|typeorm|postgres|\/(usr|home|root|tmp|app|work)\/|nestjs|fastify|zod/i;
