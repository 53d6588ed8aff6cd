/** The operations of the page, with the `__typename` that Apollo Client adds. */

const STATS = '{ playerId score winStreak wins losses draws easyWins mediumWins hardWins __typename }';
const GAME = '{ id difficulty result points bonus finishedAt source seed moves { mark square __typename } __typename }';
const ENTRY = '{ playerId name picture score wins losses draws totalGames __typename }';

const FINISH_GAME = `mutation FinishGame($ticket: String!, $squares: [Int!]!) {
  finishGame(ticket: $ticket, squares: $squares) {
    ... on GameCounted { game ${GAME} stats ${STATS} countsFrom }
    ... on GameRefused { reason message countsFrom }
    __typename
  }
}`;
const LEADERBOARD = `query Leaderboard($limit: Int!) { leaderboard(limit: $limit) ${ENTRY} }`;
const MY_STATS = `query MyStats { myStats ${STATS} }`;
const MY_STANDING = 'query MyStanding { myStanding { rank players __typename } }';

export const LIVE_LEADERBOARD = `subscription LiveLeaderboard { leaderboard ${ENTRY} }`;

const HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

export const bearer = (/** @type {string} */ token) => ({ authorization: `Bearer ${token}` });

/**
 * @param {string} operationName @param {string} query @param {object} variables @param {string} [token]
 * @returns {import('./load.js').Request}
 */
function operation(operationName, query, variables, token) {
  return {
    method: 'POST',
    path: '/graphql',
    headers: { ...HEADERS, ...(token ? bearer(token) : {}) },
    body: JSON.stringify({ operationName, variables, query }),
  };
}

export const finishGame = (
  /** @type {string} */ token,
  /** @type {string} */ ticket,
  /** @type {number[]} */ squares,
) => operation('FinishGame', FINISH_GAME, { ticket, squares }, token);
export const leaderboard = () => operation('Leaderboard', LEADERBOARD, { limit: 10 });
export const myStats = (/** @type {string} */ token) => operation('MyStats', MY_STATS, {}, token);
export const myStanding = (/** @type {string} */ token) => operation('MyStanding', MY_STANDING, {}, token);
