/** The limit of a request body in bytes. No request of the API comes near it. */
export const BODY_LIMIT = 16 * 1024;
