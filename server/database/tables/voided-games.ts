/** Games that an operator has voided: no sum contains them, and they do not count when they are sent again. */
export const voidedGames = `
  CREATE TABLE voided_games (LIKE games INCLUDING DEFAULTS, PRIMARY KEY (player_id, id));
`;
