import { useQuery } from '@apollo/client/react';
import { MyArchivedGamesDocument } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { formatNumber } from '../ui/formatNumber.js';

/** Says how many older games the list cannot show. Without an answer it says nothing. */
export function ArchivedNote() {
  const { data } = useQuery(MyArchivedGamesDocument);
  const archived = data?.myArchivedGames;
  if (!archived) return null;
  // Here, because the browser's first Intl object would delay the first paint of the game.
  const before = new Date(archived.before).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' });
  return <p className="history-archived">{messages.history.archived(formatNumber(archived.games), before)}</p>;
}
