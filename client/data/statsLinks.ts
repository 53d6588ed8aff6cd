import { ApolloLink } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { mergeMap, type Observable, of, tap } from 'rxjs';
import { gamesIn, noStats, type Stats } from '../../game/scoring.js';
import { storedStats } from './playerStats.js';

/**
 * Two links about the player's stats: one stores those of each answer in the browser, the other repeats a query of the player
 * if this or another tab counted a game meanwhile, because the answer may lack that game.
 * @param isSignedIn false after the sign-out, when a late answer can still arrive
 */
export function statsLinks(playerId: string, isSignedIn: () => boolean): ApolloLink[] {
  /** The games that this tab has sent. */
  let sent = 0;
  /** How many more games are in the stored stats by the answers to this tab. All other changes are of other tabs. */
  let storedHere = 0;
  const stored = () => gamesIn(storedStats.get(playerId)?.stats ?? noStats);
  const counted = () => sent + stored() - storedHere;

  const store = new ApolloLink((operation, forward) =>
    forward(operation).pipe(
      tap(({ data }) => {
        const stats = statsIn(data, playerId);
        if (!stats || !isSignedIn()) return;
        const before = stored();
        storedStats.set(playerId, stats);
        storedHere += stored() - before;
      }),
    ),
  );

  const repeat = new ApolloLink((operation, forward) => {
    const mayRepeat = operation.operationType === OperationTypeNode.QUERY && !operation.getContext().anonymous;
    const send = (): Observable<ApolloLink.Result> => {
      const before = counted();
      return forward(operation).pipe(
        mergeMap((answer) => {
          if ('finishGame' in (answer.data ?? {})) sent += 1;
          return mayRepeat && counted() !== before ? send() : of(answer);
        }),
      );
    };
    return send();
  });

  return [store, repeat];
}

/** The player's stats in an answer: those of `me`, of a finished game, or of a move of the challenge. */
function statsIn(data: ApolloLink.Result['data'], playerId: string): Stats | undefined {
  const fields = Object.values(data ?? {}) as ({ stats?: Stats & { playerId: string } } | null)[];
  return fields.map((field) => field?.stats).find((stats) => stats?.playerId === playerId);
}
