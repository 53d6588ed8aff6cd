import { escaped, plainPage } from '../../../web/page/plain-page.js';
import type { ProviderName } from '../../players/provider-name.js';

const TITLES: Readonly<Record<ProviderName, string>> = { google: 'Google', github: 'GitHub' };

/** @param wrong says which field is wrong */
export function signInPage(provider: ProviderName, name = '', email = '', wrong?: string): string {
  return plainPage(
    'Local sign-in',
    `<p class="note">This page stands in for ${TITLES[provider]} during development. It has no password, and no data leaves
this computer.</p>
${wrong ? `<p class="wrong" role="alert">${escaped(wrong)}</p>` : ''}
<form method="post">
<label for="name">Name</label>
<input id="name" name="name" value="${escaped(name)}" autocomplete="name" required maxlength="100" autofocus>
<label for="email">Email</label>
<input id="email" name="email" type="email" value="${escaped(email)}" autocomplete="email" required maxlength="254">
<button>Sign in</button>
<button class="quiet" name="cancel" value="yes" formnovalidate>Cancel</button>
</form>`,
  );
}

export function expiredPage(): string {
  return plainPage(
    'Sign-in expired',
    `<p class="note">This sign-in has expired. Try again.</p>
<a class="button" href="/">Back to the game</a>`,
  );
}
