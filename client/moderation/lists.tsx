import { useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import {
  AuditDocument,
  ModeratedPlayersDocument,
  type ModeratedRowFragment,
  type PlayerList,
} from '../graphql/generated.js';
import { Avatar } from '../ui/Avatar.js';
import { Button } from '../ui/Button.js';
import { Card } from '../ui/Card.js';
import { formatNumber } from '../ui/formatNumber.js';
import { formatDate } from '../ui/time/formatTime.js';
import { TimeAgo } from '../ui/time/TimeAgo.js';
import { LISTS, ORDERS, useView } from './address.js';
import { Loaded } from './Loaded.js';
import { formatEnd, inWords, shortIds, wordsOfChange } from './words.js';

const FRESH = { fetchPolicy: 'cache-and-network' } as const;

/** What an empty list says when it leaves nobody out. */
const EMPTY = { all: 'No players yet.', hidden: 'Nobody is hidden.', banned: 'Nobody is banned.' };

/** The players of a list, by a search and in an order. */
export function Players({ list }: { list: PlayerList }) {
  const { order, q, after } = useView();
  // Back and Forward change the address, and the field with it.
  const fill = useCallback((field: HTMLInputElement | null) => void (field && (field.value = q)), [q]);
  const leavesOut = q || after || order === 'score' || order === 'rate';
  const empty = leavesOut ? 'No player found.' : EMPTY[list];
  const variables = { list, orderBy: order, search: q || null, after };
  return (
    <Card title={LISTS[list]}>
      <form role="search">
        <input type="hidden" name="list" value={list} />
        <label>
          Name, email address or id
          <input ref={fill} className="field" type="search" name="q" maxLength={100} autoComplete="off" />
        </label>
        <label>
          Order
          <select name="order" className="field" value={order} onChange={({ target }) => target.form?.requestSubmit()}>
            {Object.entries(ORDERS).map(([name, label]) => (
              <option key={name} value={name} label={label} />
            ))}
          </select>
        </label>
        <Button type="submit">Search</Button>
      </form>
      <Loaded query={useQuery(ModeratedPlayersDocument, { variables, ...FRESH })}>
        {({ moderatedPlayers: { edges, pageInfo } }) => (
          <>
            <ul className="moderation-players">
              {edges.map(({ node }) => (
                <li key={node.id}>
                  <Name player={node} />
                  <Facts facts={factsOf(node)} />
                </li>
              ))}
            </ul>
            <p role="status">{edges.length === 0 && empty}</p>
            <More {...pageInfo} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** A link to the next page of a list, which has an address of its own. */
function More({ endCursor, hasNextPage }: { endCursor: string | null; hasNextPage: boolean }) {
  const next = new URLSearchParams(location.search);
  next.set('after', endCursor ?? '');
  return hasNextPage && <a className="button" href={`?${next}`} children="More" />;
}

/** What a line says about a player, and the page of the player too. */
export function factsOf({ score, totalGames, rate, createdAt }: ModeratedRowFragment) {
  return {
    Score: formatNumber(score),
    Games: formatNumber(totalGames),
    'Win rate': rate === null ? '–' : `${Math.round(rate * 100)}%`,
    Since: formatDate(createdAt),
  };
}

export function Facts({ facts }: { facts: Readonly<Record<string, string | null>> }) {
  return (
    <dl>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} hidden={!value}>
          <dt className="soft">{name}</dt>
          <dd className="number" children={value} />
        </div>
      ))}
    </dl>
  );
}

/** Picture and name with a link to the player, and the player's state. */
function Name({ player }: { player: ModeratedRowFragment }) {
  return (
    <div className="moderation-player">
      <Avatar {...player} />
      <div>
        <a href={`?player=${player.id}`} dir="auto" translate="no">
          {player.name}
        </a>{' '}
        <States {...player} />
      </div>
    </div>
  );
}

export function States({ isModerator, bannedAt, bannedUntil, hiddenAt, ...names }: ModeratedRowFragment) {
  const banned = bannedUntil ? `Banned until ${formatEnd(bannedUntil)}` : 'Banned';
  const named = (names.renamedAt && 'Renamed') ?? (names.providerName && 'Name of their own');
  const states = [isModerator && 'Moderator', bannedAt && banned, hiddenAt && 'Hidden', named];
  return states.map(
    (state) => state && <mark key={state} className="tag" data-banned={state === banned} children={state} />,
  );
}

/** The newest decisions about a player, or of all. */
export function Audit({ playerId = null }: { playerId?: string | null }) {
  const { after } = useView();
  return (
    <Card title="Decisions">
      <Loaded query={useQuery(AuditDocument, { variables: { playerId, after }, ...FRESH })}>
        {({ audit: { edges, pageInfo } }) => (
          <>
            <ol className="moderation-audit">
              {edges.map(({ node: entry }) => (
                <li key={entry.id}>
                  <b>{inWords(entry.action)}</b> <TimeAgo at={entry.at} /> by {shortIds(entry.operator)}
                  <bdi>{entry.reason}</bdi>
                  <bdi>{wordsOfChange(entry)}</bdi>
                  {entry.target && (
                    <bdi>
                      {/* The start is the player's, the same for all games of the player. */}
                      Game: <abbr title={entry.target}>…{entry.target.slice(-8)}</abbr>
                    </bdi>
                  )}
                  {!playerId && entry.playerId && (
                    <a href={`?player=${entry.playerId}`} title={entry.playerId} aria-label={entry.playerId}>
                      {entry.playerId.slice(0, 8)}
                    </a>
                  )}
                </li>
              ))}
            </ol>
            <p role="status">{edges.length === 0 && 'No decisions yet.'}</p>
            <More {...pageInfo} />
          </>
        )}
      </Loaded>
    </Card>
  );
}
