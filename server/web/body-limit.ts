/** Bytes of a body. No request of the contract comes near this. */
export const BODY_LIMIT = 16 * 1024;
