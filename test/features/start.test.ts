import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { playGame } from '../support/play.js';
import { freePort } from '../support/postgres.js';
import { refusalToStart, startServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

describe('the server refuses to start', () => {
  test('in production without its settings, and names every one that is missing', async () => {
    const { code, said } = await refusalToStart({ NODE_ENV: 'production' });
    expect(code).toBe(1);
    const names = ['AUTH_SECRET', 'DATABASE_URL', 'PUBLIC_ORIGIN', 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'];
    for (const name of [...names, 'GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET']) expect(said).toContain(name);
    expect(said).not.toMatch(/ at .*\.js/);
  });

  test('with wrong settings, and names every one of them', async () => {
    const { code, said } = await refusalToStart({
      PORT: 'many',
      AUTH_SECRET: 'short',
      GAMES_PER_MINUTE: '-1',
      LOG_LEVEL: 'loud',
      SECURITY_CONTACT: 'Ada',
    });
    expect(code).toBe(1);
    for (const name of ['PORT', 'AUTH_SECRET', 'GAMES_PER_MINUTE', 'LOG_LEVEL', 'SECURITY_CONTACT'])
      expect(said).toContain(name);
    expect(said).not.toContain('short');
  });

  test('when the database does not answer, in one sentence', async () => {
    const port = await freePort();
    const { code, said } = await refusalToStart({ DATABASE_URL: `postgresql://127.0.0.1:${port}/none`, PORT: '0' });
    expect(code).toBe(1);
    expect(said).toMatch(/^The database at DATABASE_URL cannot be used: .*ECONNREFUSED/m);
    expect(said).not.toMatch(/^ {4}at /m);
  });

  test('when another server holds the data folder, and says which', async () => {
    const first = await startServer({ database: 'pglite' });
    try {
      const { code, said } = await refusalToStart({ DATA_DIR: first.dataDir, PORT: String(await freePort()) });
      expect(code).toBe(1);
      expect(said).toContain(`The data folder ${first.dataDir} is in use by another running server.`);
      expect((await fetch(`${first.origin}/health/ready`)).status).toBe(200);
    } finally {
      await first.remove();
    }
  });

  test('when its port is taken', async () => {
    const first = await startServer();
    try {
      const { code, said } = await refusalToStart({
        PORT: new URL(first.origin).port,
        ...(first.databaseUrl ? { DATABASE_URL: first.databaseUrl } : { DATA_DIR: join(first.dataDir, 'other') }),
      });
      expect(code).toBe(1);
      expect(said).toContain('another program already listens on this port');
    } finally {
      await first.remove();
    }
  });
});

describe('a restart', () => {
  test('keeps players, sessions, games and stats, and SIGTERM ends the server with 0', async () => {
    const server = await startServer();
    try {
      const player = await aSignedInVisitor(server);
      await playGame(server, player, { result: 'win' });
      expect(await server.stop()).toBe(0);
      await server.restart();
      expect((await player.refresh()).status).toBe(200);
      const { data } = await player.graphql('{ me { id } myStats { score wins } leaderboard { playerId score } }');
      expect(data).toEqual({
        me: { id: player.user.id },
        myStats: { score: 1, wins: 1 },
        leaderboard: [{ playerId: player.user.id, score: 1 }],
      });
    } finally {
      await server.remove();
    }
  });

  test('after kill -9 has lost no result that was acknowledged', async () => {
    const server = await startServer();
    try {
      const player = await aSignedInVisitor(server);
      await playGame(server, player, { result: 'win' });
      await playGame(server, player, { result: 'lose' });
      await server.kill();
      await server.restart();
      expect((await player.graphql('{ myStats { score wins losses } }')).data).toEqual({
        myStats: { score: 0, wins: 1, losses: 1 },
      });
    } finally {
      await server.remove();
    }
  });
});

test('health says live and ready, and is never cached', async () => {
  const server = await startServer();
  try {
    for (const state of ['live', 'ready']) {
      const response = await fetch(`${server.origin}/health/${state}`);
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await response.json()).toEqual({ status: state });
    }
  } finally {
    await server.remove();
  }
});
