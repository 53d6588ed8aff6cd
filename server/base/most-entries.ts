/** The highest `limit` or `first` that any of our lists accepts. */
export const MAX_LIMIT = 100;
