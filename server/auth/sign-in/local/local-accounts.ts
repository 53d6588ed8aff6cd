import { createHash } from 'node:crypto';
import type { ProviderName } from '../../players/provider-name.js';

const MAX_ACCOUNTS = 1000;

/** Somebody who typed a name and an email address into the local sign-in page. */
export interface LocalAccount {
  /** Follows from the email address, so that the same one is the same person again, also after a restart. */
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/** Those who signed in lately: only until the server has read their profile, so the oldest may go. */
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

  /** As `oidc-provider` wants it. */
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
