export const EXAMPLES = [
  {
    query: `# The signed-in player and their stats.
query Me {
  me {
    id
    name
    email
    stats { score winStreak wins losses draws }
    standing { rank players }
  }
}
`,
  },
  {
    query: `# Public: works without a sign-in.
query Leaderboard($limit: Int! = 10) {
  leaderboard(limit: $limit) { playerId name score wins losses draws totalGames }
}
`,
    variables: '{ "limit": 10 }',
  },
  {
    query: `# Public: the top ten, now and after every change. It runs until you stop it.
subscription LiveLeaderboard {
  leaderboard { playerId name score }
}
`,
  },
  {
    query: `# Your place on the leaderboard, the neighbours, and the points to the next place.
query LeaderboardAround($before: Int! = 2, $after: Int! = 2) {
  me {
    standing {
      rank exact players
      neighbours(before: $before, after: $after) {
        entries { rank name score }
        next { rank points }
      }
    }
  }
}
`,
    variables: '{ "before": 2, "after": 2 }',
  },
  {
    query: `# Your last games, the newest first, with the seed and the moves that replay them.
query MyGames($first: Int! = 10, $after: String) {
  me {
    games(first: $first, after: $after) {
      edges { node { id difficulty result points bonus finishedAt source seed moves { mark square } } }
      pageInfo { hasNextPage endCursor }
    }
  }
}
`,
    variables: '{ "first": 10 }',
  },
  {
    query: `# A ticket for one game. "counts" tells whether the game can count today. The seed determines the bot's moves.
mutation StartGame($difficulty: Difficulty!) {
  startGame(difficulty: $difficulty) { gameId difficulty seed token expiresAt counts countsFrom }
}
`,
    variables: '{ "difficulty": "easy" }',
  },
  {
    query: `# Your own squares (0 to 8) in order, with the ticket's token: the server replays the game.
mutation FinishGame($ticket: String!, $squares: [Int!]!) {
  finishGame(ticket: $ticket, squares: $squares) {
    ... on GameCounted { game { id result points bonus } stats { score winStreak } }
    ... on GameRefused { reason message countsFrom }
  }
}
`,
    variables: '{ "ticket": "the token of a ticket", "squares": [4, 0, 8] }',
  },
];
