/** Opens the account. A repeated sign-in and a link return to this address, the link with its result. */
export const ACCOUNT_ADDRESS = '/?open=account';

export const isAccountAsked = () => (location.pathname + location.search).startsWith(ACCOUNT_ADDRESS);

/** Apart from the address, because they load with the account dialog. */
export const TABS = ['profile', 'sign-in', 'tokens', 'data'] as const;
export type AccountTab = (typeof TABS)[number];

/** The tab that the query of an address asks for. A link returns to its question. */
export function tabOf(query: string): AccountTab {
  const parameters = new URLSearchParams(query);
  if (parameters.has('link') || parameters.has('link_error')) return 'sign-in';
  return TABS.find((tab) => tab === parameters.get('tab')) ?? 'profile';
}
