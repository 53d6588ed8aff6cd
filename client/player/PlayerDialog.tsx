import { useLingui } from '@lingui/react/macro';
import type { ComponentProps, CSSProperties } from 'react';
import { Section } from '../account/parts.js';
import { Badge, Who } from '../account/Profile.js';
import { anonymous } from '../data/apollo.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import { PlayerPageDocument, type PlayerPageFragment } from '../graphql/generated.js';
import { LastGames } from '../history/LastGames.js';
import { Place } from '../leaderboard/LeaderboardRow.js';
import { Dialog } from '../ui/Dialog.js';
import { Failed } from '../ui/failure/NotLoaded.js';
import { formatNumber } from '../ui/formatNumber.js';
import { pageAddress } from '../ui/PlayerLink.js';
import { ShareButton } from '../ui/ShareButton.js';
import { DAY, serverNow } from '../ui/time/clock.js';
import { formatDate, formatDay } from '../ui/time/formatTime.js';
import './player.css';

interface Props extends Pick<ComponentProps<typeof LastGames>, 'onOpen'> {
  playerId: string;
  isYou: boolean;
  onClose: () => void;
}

/** What everybody may know of a player. Players see the same of themselves, also where others do not see them. */
export function PlayerDialog({ playerId, isYou, onOpen, onClose }: Props) {
  const { t } = useLingui();
  const variables = { id: playerId, isYou };
  const { data, failed, retry } = useRetryingQuery(PlayerPageDocument, { variables, context: isYou ? {} : anonymous });
  const page = data?.me ? data.me.pageIsOpen && data.me.page : data?.player;
  const share = { text: t`My page at Tic-Tac-Toe:`, url: location.origin + pageAddress(playerId) };
  return (
    <Dialog
      title={t({ message: 'Player', context: 'whose page it is' })}
      onClose={onClose}
      closeLook={isYou ? 'plain' : 'main'}
      footer={isYou && page && <ShareButton {...share} label={t`Share your page`} />}
    >
      {page ? (
        // Screen readers read it by its headings.
        <div className="account-columns stack" role="document">
          <Facts {...page} />
          <div className="account stack">
            {page.weeks.length > 0 && <Weeks {...page} />}
            <LastGames
              games={page.games.edges.map((one) => one.node)}
              shownFirst={20}
              Frame={Section}
              {...{ failed, retry, onOpen }}
            />
          </div>
        </div>
      ) : failed ? (
        <Failed className="player-note faint" text={t`The page could not be loaded.`} retry={retry} />
      ) : (
        <p className="player-note centred faint" role="status" aria-busy={!data} tabIndex={0}>
          {data ? t`There is no page behind this link.` : t`Loading...`}
        </p>
      )}
    </Dialog>
  );
}

function Facts({ stats, standing, bestHardDrawsInARow, run, week, badges, since, ...player }: PlayerPageFragment) {
  const { t } = useLingui();
  const facts = [
    [t`Total Score`, formatNumber(stats.score)],
    [t`Place`, standing ? <Place {...standing} /> : '–'],
    [t`Points this week`, formatNumber(week?.score ?? 0)],
    [t`Wins`, formatNumber(stats.wins)],
    [t`Losses`, formatNumber(stats.losses)],
    [t`Draws`, formatNumber(stats.draws)],
    [t`Most draws in a row on Hard`, formatNumber(bestHardDrawsInARow)],
    [t`Challenge days in a row`, formatNumber(run)],
  ] as const;
  return (
    <div className="account stack">
      <Who {...player} email={null} fact={t`Here since ${{ date: formatDate(since) }}`} />
      <dl className="player-facts number">
        {facts.map(([fact, value]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Section title={t`Badges`}>
        {badges.length === 0 && <p className="faint">{t`None yet.`}</p>}
        <ul className="badges">
          {badges.map((badge) => (
            <Badge key={badge.badge} {...badge} reached />
          ))}
        </ul>
      </Section>
    </div>
  );
}

const KINDS = ['score', 'wins', 'draws', 'losses'] as const;

/** A table, drawn as a picture: each row is a column with a bar up or down for the points, and below it the games. */
function Weeks({ weeks }: PlayerPageFragment) {
  const { t } = useLingui();
  const age = (week: string) => Math.floor((serverNow() - Date.parse(week)) / (7 * DAY));
  const scale = {
    '--high': Math.max(1, ...weeks.map(({ score }) => score)),
    '--low': Math.min(0, ...weeks.map(({ score }) => score)),
    '--games': Math.max(1, ...weeks.map(({ wins, draws, losses }) => wins + draws + losses)),
  };
  return (
    <Section title={t`The last 26 weeks`}>
      <table className="player-weeks number" style={scale as CSSProperties}>
        <thead>
          <tr>
            {[t`Week`, t`Points`, t`Wins`, t`Draws`, t`Losses`].map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map(({ week, ...sums }) => (
            <tr key={week} style={{ gridColumn: 26 - age(week) }} data-old={age(week) > 12}>
              <th scope="row">{formatDay(week)}</th>
              {KINDS.map((kind) => (
                <td key={kind} style={{ '--n': sums[kind] } as CSSProperties}>
                  <span className="visually-hidden">{formatNumber(sums[kind])}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
