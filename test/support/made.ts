import { createHmac, randomUUID } from 'node:crypto';
import pg from 'pg';
import { Clock } from '../../server/base/clock.js';
import { AccessTokens } from '../../server/auth/sessions/access-tokens.service.js';
import { Env } from '../../server/settings/env.js';
import { Keys } from '../../server/settings/keys.js';
import { accountNumber, query, type Server } from './server.js';
import { Visitor } from './visitor.js';

const MONTH = 30 * 24 * 60 * 60 * 1000;

let players = 0;

/** A new player who has just signed in, made by statements: over HTTP it takes many times as long. */
export async function aMadePlayer(
  server: Server,
  { name = `Made ${++players}`, provider = 'google', email = `${randomUUID()}@example.org` } = {},
) {
  const [id, session] = [randomUUID(), randomUUID()];
  const at = new Date(server.now());
  const now = `'${at.toISOString()}'`;
  // As the local provider makes it, so that the person can sign in again.
  const subject = accountNumber(provider, email);
  await query(
    server,
    `INSERT INTO players (id, name, provider, email, created_at, signed_in_at)
       VALUES ('${id}', ${pg.escapeLiteral(name)}, '${provider}', '${email}', ${now}, ${now});
     INSERT INTO identities (issuer, subject, player_id, created_at)
       VALUES ('${server.origin}/local/${provider}', '${subject}', '${id}', ${now});
     INSERT INTO sessions (id, player_id, created_at, last_seen_at, expires_at)
       VALUES ('${session}', '${id}', ${now}, ${now}, '${new Date(at.getTime() + MONTH).toISOString()}')`,
  );
  const { origin: publicOrigin, dataDir, secret } = server;
  const env = Object.assign(new Env(), { publicOrigin, dataDir, ...(secret && { authSecrets: [secret] }) });
  const keys = new Keys(env);
  const accessToken = await new AccessTokens(env, Object.assign(new Clock(), { now: () => at }), keys).issue({
    playerId: id,
    sessionId: session,
  });
  const said = `${id}_${session}.0`;
  const signature = createHmac('sha256', keys.keysFor('refresh-token')[0]).update(said).digest('base64url');
  const visitor = new Visitor(server);
  await visitor.cookies.setCookie(`refresh=${said}.${signature}; Path=/`, server.origin);
  const user = { id, email, name, picture: `${server.origin}/avatar/${id}.svg`, provider };
  return Object.assign(visitor, { accessToken, user });
}
