/** What a first visitor sees. The second one needs a session or a token. */
export const EXAMPLES = [
  {
    query: `# The leaderboard: everybody may read it.
query Leaderboard {
  leaderboard(limit: 10) { playerId name score wins losses draws totalGames }
}
`,
  },
  {
    query: `# Your stats: sign in, or put a token into "Headers" below.
query MyStats {
  me {
    name
    stats { score winStreak wins losses draws }
    standing { rank players }
  }
}
`,
  },
  {
    query: `# The top ten, now and after every change. It runs until you stop it.
subscription LiveLeaderboard {
  leaderboard { playerId name score }
}
`,
  },
];

/** The place where a token goes. GraphiQL reads it with comments. */
export const NO_TOKEN = '{\n  // "Authorization": "Bearer ttt_..."\n}';
