// In a file of its own, because the game reads it before the account is loaded.

/** Opens the account. A repeated sign-in and a link return to this address, the link with its result. */
export const ACCOUNT_ADDRESS = '/?open=account';

export const isAccountAsked = () => (location.pathname + location.search).startsWith(ACCOUNT_ADDRESS);
