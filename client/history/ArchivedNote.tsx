import { useQuery } from '@apollo/client/react';
import { MyArchivedGamesDocument } from '../graphql/generated.js';
import { messages } from '../messages/game.js';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** Says how many older games the list cannot show. Without an answer it says nothing. */
export function ArchivedNote() {
  const { data } = useQuery(MyArchivedGamesDocument);
  const archived = data?.myArchivedGames;
  if (!archived) return null;
  return (
    <p className="history-archived">
      {messages.history.archived(archived.games, day.format(new Date(archived.before)))}
    </p>
  );
}
