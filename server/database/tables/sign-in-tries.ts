/** The columns that rate-limiter-flexible asks for. The key is a keyed hash of an address, never the address. */
export const signInTries = `
  CREATE TABLE sign_in_tries (
    key varchar(255) PRIMARY KEY,
    points integer NOT NULL DEFAULT 0,
    expire bigint
  );
`;
