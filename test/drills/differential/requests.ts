import type { Request } from './side.js';

const STATS = '{ playerId score winStreak wins losses draws easyWins mediumWins hardWins }';
const FINISH = `mutation ($ticket: String!, $squares: [Int!]!) {
  finishGame(ticket: $ticket, squares: $squares) {
    __typename
    ... on GameCounted {
      game { id difficulty result points bonus finishedAt source seed moves { square mark } } stats ${STATS} countsFrom
    }
    ... on GameRefused { reason message countsFrom }
  }
}`;
const ATTEMPT = 'attempt { day games { number difficulty started squares result } }';
const CHALLENGE_ANSWER = `{
  __typename
  ... on ChallengePlayed { ${ATTEMPT} botSquare result stats ${STATS} }
  ... on ChallengeRefused { reason message ${ATTEMPT} }
}`;
const START = `mutation ($day: String!, $game: Int!) { startChallengeGame(day: $day, game: $game) ${CHALLENGE_ANSWER} }`;
const MOVE = `mutation ($day: String!, $game: Int!, $move: Int!, $square: Int!) {
  playChallengeMove(day: $day, game: $game, move: $move, square: $square) ${CHALLENGE_ANSWER}
}`;
const LINK = `mutation ($code: String!, $other: ID) {
  confirmLink(code: $code, otherPlayerId: $other) {
    __typename
    ... on IdentityLinked { identities { provider linkedAt } stats ${STATS} }
    ... on LinkRefused { reason message }
  }
}`;
const GAMES = 'myGames(limit: 50) { id difficulty result points bonus finishedAt source seed moves { square mark } }';
const ACHIEVEMENTS = 'myAchievements { playerId hardDraws hardDrawsInARow bestHardDrawsInARow badges }';
const ENTRY = '{ playerId name score wins losses draws totalGames }';

/** What a player reads of the own data. It is the same whatever the others do. */
export const OWN = `{ myStats ${STATS} ${ACHIEVEMENTS} }`;
export const HISTORY = `{ me { id name } ${GAMES} myIdentities { provider linkedAt } }`;
/** These depend on the games of all players. */
export const PLACES = `{
  myStanding { rank players exact } myWeek { week rank dayPoints entry ${ENTRY} }
  leaderboardAround(before: 2, after: 2) { next { rank points } standing { rank exact } places { rank entry ${ENTRY} } }
  myChallenge { ${ATTEMPT} endsAt place players daysInARow yesterdaysBest { wins draws name players } }
}`;
export const BOARD = `query ($period: LeaderboardPeriod!, $week: String) {
  leaderboard(limit: 100, period: $period, week: $week) ${ENTRY}
}`;
export const CHALLENGE = `query ($day: String!) {
  challenge(day: $day) { players over seeds entries(limit: 100) { place playerId wins draws results moves } }
}`;

export function graphql(query: string, variables: object = {}, token?: string): Request {
  return { path: '/graphql', body: { query, variables }, token };
}

export const finish = (token: string, { ticket, squares }: { ticket: string; squares: readonly number[] }) =>
  graphql(FINISH, { ticket, squares }, token);

export const startChallenge = (token: string, day: string, game: number) => graphql(START, { day, game }, token);

export const challengeMove = (
  token: string,
  move: { day: string; game: number; move: number; square: number },
): Request => graphql(MOVE, move, token);

export const confirmLink = (token: string, code: string, other: string) => graphql(LINK, { code, other }, token);

export const deleteAccount = (token: string) => graphql('mutation { deleteAccount }', {}, token);

export function report(token: string, body: { userId: string; result: string; difficulty: string }, key?: string) {
  return { path: '/api/player/stats', body, token, key } satisfies Request;
}
