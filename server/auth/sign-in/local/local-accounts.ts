import { createHash } from 'node:crypto';
import type { ProviderName } from '../../players/provider-name.js';

const MAX_ACCOUNTS = 1000;

/** The name and the email address that a user typed into the local sign-in page. */
export interface LocalAccount {
  /** Derived from the email address, so that it stays the same after a restart. */
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/** The last accounts that signed in. The server reads each profile once, so the oldest may go. */
export class LocalAccounts {
  private readonly accounts = new Map<string, LocalAccount>();

  constructor(private readonly provider: ProviderName) {}

  remember(name: string, email: string): string {
    const address = email.toLowerCase();
    const hash = createHash('sha256').update(`${this.provider} ${address}`).digest();
    const account = { id: hash.readUIntBE(0, 6), name, email: address };
    const key = String(account.id);
    this.accounts.delete(key);
    this.accounts.set(key, account);
    const oldest = this.accounts.keys().next();
    if (this.accounts.size > MAX_ACCOUNTS && !oldest.done) this.accounts.delete(oldest.value);
    return key;
  }

  find(id: string): LocalAccount | undefined {
    return this.accounts.get(id);
  }

  /** In the form that `oidc-provider` expects. */
  claimsOf(id: string) {
    const account = this.find(id);
    return (
      account && {
        accountId: id,
        claims: () => ({ sub: id, name: account.name, email: account.email, email_verified: true }),
      }
    );
  }
}

/** GitHub's answer at `/user`. */
export function githubUser({ id, name, email }: LocalAccount) {
  return { id, login: email.split('@')[0], name, email: null, avatar_url: null };
}

/** GitHub's answer at `/user/emails`. */
export function githubEmails({ email }: LocalAccount) {
  return [{ email, primary: true, verified: true, visibility: null }];
}
