import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { dareCode } from '../../game/dare.js';
import type { Result } from '../../game/rules.js';
import { challengeOf, DAY, daysFrom, playChallenge, startChallenge, waitAs } from '../support/challenge.js';
import { aMadePlayer } from '../support/made.js';
import { aServer, query } from '../support/server.js';
import { ttt } from '../support/ttt.js';

const server = aServer();
const nextDay = daysFrom(server, '2034-05-01');
let day: string;
beforeEach(async () => void (day = await nextDay()));

type Player = Awaited<ReturnType<typeof aMadePlayer>>;

/** Another player whose attempt is the same but for this. */
async function aPlayerLike({ user }: Player, name: string, differs: object = {}): Promise<Player> {
  const player = await aMadePlayer(server, { name });
  for (const [table, other] of [
    ['player_stats', {}],
    ['challenge_attempts', differs],
  ] as const)
    await query(
      server,
      `INSERT INTO ${table} SELECT (jsonb_populate_record(own, $2)).* FROM ${table} AS own WHERE player_id = $1`,
      [user.id, { ...other, player_id: player.user.id }],
    );
  return player;
}

describe('a dare', () => {
  const daredBy = async ({ user }: Player): Promise<unknown> =>
    (await query(server, 'SELECT dared_by FROM challenge_attempts WHERE player_id = $1', [user.id]))[0]!.dared_by;
  const RESULTS = ['win', 'win', 'lose', 'win', 'draw'] as const;
  /** Comes by the link of a player, and plays to the end. */
  const take = async (darer: string, name: string, results: readonly Result[] = RESULTS) => {
    const taker = await aMadePlayer(server, { name });
    await startChallenge(taker, day, 1, darer);
    await playChallenge(taker, day, results);
    return taker;
  };

  test('tells who came by the link and finished, until the next one is finished', async () => {
    const darer = await aMadePlayer(server);
    const { id } = darer.user;
    await playChallenge(darer, day, RESULTS);
    await startChallenge(await aMadePlayer(server), day, 1, id);
    expect(await challengeOf(darer)).toMatchObject({ takers: [], takersInAll: 0 });
    const taker = await take(id, 'Cy', ['win', 'win', 'lose', 'lose', 'draw']);
    await aPlayerLike(taker, 'Bo', { wins: 4 });
    const hidden = await aPlayerLike(taker, 'Hidden', { wins: 3 });
    await query(server, 'UPDATE player_stats SET listed = false WHERE player_id = $1', [hidden.user.id]);
    await aPlayerLike(taker, 'Eve', { wins: 0 });
    await aPlayerLike(taker, 'Di', { wins: 3, total_moves: (await challengeOf(darer)).attempt.totalMoves });
    const takers = [
      { name: 'Bo', wins: 4, result: 'win' },
      { name: 'Di', wins: 3, result: 'draw' },
      { name: 'Cy', wins: 2, result: 'lose' },
    ];
    expect(await challengeOf(darer)).toMatchObject({ takers, takersInAll: 4 });
    await waitAs(server, darer, 2 * DAY);
    expect(await challengeOf(darer)).toMatchObject({ takers, takersInAll: 4 });
    const { attempt } = await challengeOf(darer);
    await playChallenge(darer, attempt.day, RESULTS);
    expect(await challengeOf(darer)).toMatchObject({ takers: [], takersInAll: 0 });
  });

  test('is erased with either account, and is in the export of its taker', async () => {
    const darer = await aMadePlayer(server);
    await playChallenge(darer, day, RESULTS);
    const other = await aPlayerLike(darer, 'Other');
    const kept = await take(darer.user.id, 'Kept');
    const leaving = await aPlayerLike(kept, 'Leaving');
    const elsewhere = await aPlayerLike(kept, 'Elsewhere', { dared_by: other.user.id });
    const exported = (await (await kept.api('/api/account/export')).json()) as { challenges: object[] };
    expect(exported.challenges).toMatchObject([{ daredBy: darer.user.id }]);
    await leaving.graphql('mutation { deleteAccount }');
    expect(await challengeOf(darer)).toMatchObject({ takersInAll: 1 });
    await darer.graphql('mutation { deleteAccount }');
    expect([await daredBy(kept), await daredBy(elsewhere)]).toEqual([null, other.user.id]);
  });

  test('by nobody, by oneself, or by somebody without a result is none', async () => {
    const player = await aMadePlayer(server);
    const wrong = `mutation { startChallengeGame(day: "${day}", game: 1, daredBy: "nobody") { __typename } }`;
    expect((await player.graphql(wrong)).errors).toMatchObject([{ message: 'daredBy must be the id of a player.' }]);
    await startChallenge(player, day, 1, randomUUID());
    const [early, taker] = [await aMadePlayer(server), await aMadePlayer(server)];
    await playChallenge(early, day, RESULTS.slice(0, 4));
    await startChallenge(taker, day, 1, early.user.id);
    const own = await aMadePlayer(server);
    await startChallenge(own, day, 1, own.user.id.toUpperCase());
    expect(await Promise.all([player, taker, own].map(daredBy))).toEqual([null, null, null]);
  });

  test('has a page with its own words for previews, while its day runs and its player is shown', async () => {
    const name = `"><b>Nora</b> & 'Co'`;
    const nora = await aMadePlayer(server, { name });
    await playChallenge(nora, day, RESULTS);
    const like = () => aPlayerLike(nora, name);
    const [hidden, banned, deleted] = [await like(), await like(), await like()];
    const linkOf = ({ user }: Player, on = day) => `/d/${dareCode({ playerId: user.id, day: on })}`;
    const pageOf = async (path: string) => {
      const response = await fetch(server.origin + path, { headers: { accept: 'text/html' } });
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      return (await response.text()).replace(/\s+/g, ' ');
    };
    const general = await pageOf('/');
    const page = await pageOf(linkOf(nora));
    const title = '&#34;&#62;&#60;b&#62;Nora&#60;/b&#62; &#38; &#39;Co&#39; dares you: 3 of 5';
    for (const words of [
      `property="og:title" content="${title}"`,
      `name="twitter:title" content="${title}"`,
      `property="og:url" content="${server.origin}${linkOf(nora)}"`,
      'property="og:description" content="Today&#39;s five games',
    ])
      expect(page).toContain(words);
    expect(page.replace(/content="[^"]*"/g, '')).toBe(general.replace(/content="[^"]*"/g, ''));
    for (const behind of ['.', '%29', '?utm_source=x']) expect(await pageOf(linkOf(nora) + behind)).toBe(page);
    const etag = (await fetch(server.origin + linkOf(nora))).headers.get('etag')!;
    const again = await fetch(server.origin + linkOf(nora), { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('x-robots-tag')]).toEqual([304, 'noindex']);
    expect((await fetch(server.origin + linkOf(nora), { method: 'POST' })).status).toBe(405);

    await query(server, 'UPDATE player_stats SET listed = false WHERE player_id = $1', [hidden.user.id]);
    await banned.signOut();
    await ttt(server, 'player', 'ban', banned.user.id, '--reason', 'A bot');
    await deleted.graphql('mutation { deleteAccount }');
    const unfinished = await aMadePlayer(server);
    await playChallenge(unfinished, day, ['win']);
    const tomorrow = new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
    const others = [hidden, banned, deleted, unfinished].map((player) => linkOf(player));
    for (const path of [...others, linkOf(nora, tomorrow), `${linkOf(nora)}A`, '/d/nobody', '/d/', '/d/%3Cb%3E'])
      expect(await pageOf(path)).toBe(general);
    await server.moveClock(DAY);
    expect(await pageOf(linkOf(nora))).toBe(general);
  });

  test('is in no index of a search, unlike the game, and may be read for a preview', async () => {
    const answers = ['/d/nobody', '/', '/robots.txt'].map((path) => fetch(server.origin + path));
    const [dare, game, robots] = await Promise.all(answers);
    expect([dare, game].map((answer) => answer!.headers.get('x-robots-tag'))).toEqual(['noindex', null]);
    expect(robots!.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await robots!.text()).toMatch(/^User-agent: \*\nDisallow:\n$/m);
  });
});
