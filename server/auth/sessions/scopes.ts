/** What a personal token may be allowed. A new scope also needs a migration of `sessions_token_scopes_check`. */
export const SCOPES = ['account:read', 'games:read', 'games:write', 'stats:read'] as const;

export type Scope = (typeof SCOPES)[number];
