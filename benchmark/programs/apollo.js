/**
 * The same work as a GraphQL mutation on Apollo Server and Fastify, with one resolver and nothing else: no limits, no log,
 * no headers, no framework.
 */
import { ApolloServer, HeaderMap } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import jwt from '@fastify/jwt';
import Fastify from 'fastify';
import { finishGame, TOKENS } from './same-work.js';

const TYPES = `
  type Move { mark: String! square: Int! }
  type Game { id: ID! difficulty: String! result: String! seed: String! finishedAt: String! moves: [Move!]! }
  type Stats {
    score: Int! winStreak: Int! wins: Int! losses: Int! draws: Int! easyWins: Int! mediumWins: Int! hardWins: Int!
  }
  type Counted { game: Game! stats: Stats! }
  type Query { version: String }
  type Mutation { finishGame(ticket: String!, squares: [Int!]!): Counted! }
`;

const app = Fastify();
await app.register(jwt, TOKENS);
const server = new ApolloServer({
  typeDefs: TYPES,
  resolvers: {
    Mutation: {
      finishGame: async (_root, sent, { request }) => finishGame(await request.jwtVerify(), sent),
    },
  },
  plugins: [ApolloServerPluginCacheControlDisabled()],
});
await server.start();

app.post('/graphql', async (request, reply) => {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const { body, status, ...answer } = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method: 'POST', headers, search: '', body: request.body },
    context: () => Promise.resolve({ request }),
  });
  reply.code(status ?? 200).headers(Object.fromEntries(answer.headers));
  return body.kind === 'complete' ? body.string : '';
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
