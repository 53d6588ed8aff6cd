import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { dareCode } from '../../game/dare.js';
import type { Result } from '../../game/rules.js';
import { challengeOf, DAY, daysFrom, playChallenge, startChallenge, waitAs } from '../support/challenge.js';
import { aServer, query } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor } from '../support/visitor.js';

const server = aServer();
const nextDay = daysFrom(server, '2034-05-01');
let day: string;
beforeEach(async () => void (day = await nextDay()));

type Player = Awaited<ReturnType<typeof aSignedInVisitor>>;

describe('a dare', () => {
  const daredBy = async ({ user }: Player): Promise<unknown> =>
    (await query(server, 'SELECT dared_by FROM challenge_attempts WHERE player_id = $1', [user.id]))[0]!.dared_by;
  const RESULTS = ['win', 'win', 'lose', 'win', 'draw'] as const;
  /** Comes by the link of a player, and plays to the end. */
  const take = async (darer: string, name: string, results: readonly Result[] = RESULTS) => {
    const taker = await aSignedInVisitor(server, { name });
    await startChallenge(taker, day, 1, darer);
    await playChallenge(taker, day, results);
    return taker;
  };

  test('tells who came by the link and finished, until the next one is finished', async () => {
    const darer = await aSignedInVisitor(server);
    const { id } = darer.user;
    await playChallenge(darer, day, RESULTS);
    await startChallenge(await aSignedInVisitor(server), day, 1, id);
    expect(await challengeOf(darer)).toMatchObject({ takers: [], takersInAll: 0 });
    await take(id, 'Cy', ['win', 'win', 'lose', 'lose', 'draw']);
    await take(id, 'Bo', ['win', 'win', 'win', 'win', 'draw']);
    const hidden = await take(id, 'Hidden');
    await query(server, 'UPDATE player_stats SET listed = false WHERE player_id = $1', [hidden.user.id]);
    await take(id, 'Eve', ['lose', 'lose', 'lose', 'lose', 'draw']);
    await take(id, 'Di');
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
    const [darer, other] = await Promise.all([aSignedInVisitor(server), aSignedInVisitor(server)]);
    for (const player of [darer, other]) await playChallenge(player, day, RESULTS);
    const [kept, leaving] = [await take(darer.user.id, 'Kept'), await take(darer.user.id, 'Leaving')];
    const elsewhere = await take(other.user.id, 'Elsewhere');
    const exported = (await (await kept.api('/api/account/export')).json()) as { challenges: object[] };
    expect(exported.challenges).toMatchObject([{ daredBy: darer.user.id }]);
    await leaving.graphql('mutation { deleteAccount }');
    expect(await challengeOf(darer)).toMatchObject({ takersInAll: 1 });
    await darer.graphql('mutation { deleteAccount }');
    expect([await daredBy(kept), await daredBy(elsewhere)]).toEqual([null, other.user.id]);
  });

  test('by nobody, by oneself, or by somebody without a result is none', async () => {
    const player = await aSignedInVisitor(server);
    const wrong = `mutation { startChallengeGame(day: "${day}", game: 1, daredBy: "nobody") { __typename } }`;
    expect((await player.graphql(wrong)).errors).toMatchObject([{ message: 'daredBy must be the id of a player.' }]);
    await startChallenge(player, day, 1, randomUUID());
    const [early, taker] = [await aSignedInVisitor(server), await aSignedInVisitor(server)];
    await playChallenge(early, day, RESULTS.slice(0, 4));
    await startChallenge(taker, day, 1, early.user.id);
    const own = await aSignedInVisitor(server);
    await startChallenge(own, day, 1, own.user.id.toUpperCase());
    expect(await Promise.all([player, taker, own].map(daredBy))).toEqual([null, null, null]);
  });

  test('has a page with its own words for previews, while its day runs and its player is shown', async () => {
    const name = `"><b>Nora</b> & 'Co'`;
    const players = await Promise.all(Array.from({ length: 4 }, () => aSignedInVisitor(server, { name })));
    const [nora, hidden, banned, deleted] = players as [Player, Player, Player, Player];
    await Promise.all(players.map((player) => playChallenge(player, day, RESULTS)));
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
    const unfinished = await aSignedInVisitor(server);
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
