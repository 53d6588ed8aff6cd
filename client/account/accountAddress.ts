/** Opens the account. A repeated sign-in and a link return to this address, the link with its result. */
const ACCOUNT_ADDRESS = '/?open=account';

export const TABS = ['profile', 'sign-in', 'data'] as const;
export type AccountTab = (typeof TABS)[number];

export const accountAddress = (tab: AccountTab) => `${ACCOUNT_ADDRESS}&tab=${tab}`;

/** The tab that a query of the address asks for. A link returns to its question. */
export function tabOf(query: string): AccountTab {
  const parameters = new URLSearchParams(query);
  if (parameters.has('link') || parameters.has('link_error')) return 'sign-in';
  return TABS.find((tab) => tab === parameters.get('tab')) ?? 'profile';
}

export const isAccountAsked = () => (location.pathname + location.search).startsWith(ACCOUNT_ADDRESS);
