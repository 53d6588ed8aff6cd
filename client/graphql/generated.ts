// Written by scripts/types.js from schema.graphql and client/**/*.graphql. Do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Something that a player has reached for the first time, in verified games. */
export type Badge =
  /** A win against the easy bot. */
  | 'first_easy_win'
  /** A draw against the hard bot. */
  | 'first_hard_draw'
  /** A win against the medium bot. */
  | 'first_medium_win'
  /** Ten draws against the hard bot, in a row or not. */
  | 'ten_hard_draws';

/** Why the server refuses a start or a move of the challenge. */
export type ChallengeRefusalReason =
  /** Start this game before you play it. */
  | 'game_not_started'
  /** Finish the earlier games of the challenge first. */
  | 'game_out_of_order'
  /** This game is over. */
  | 'game_over'
  /** This square is taken. */
  | 'illegal_move'
  /** An earlier move of this game is missing. Load the game again. */
  | 'move_out_of_order'
  /** The day of this challenge is not today. Open the challenge of today. */
  | 'not_today'
  /** The same person has started the challenge of this day with another account. It may be deleted, or have shared a sign-in method. */
  | 'other_account_played'
  /** You have already played this move on another square. Load the game again. */
  | 'other_square_played';

/** How well the bot plays. */
export type Difficulty =
  /** The bot plays randomly. */
  | 'easy'
  /** Unbeatable: minimax to the end. */
  | 'hard'
  /** Half of the moves are smart: minimax, three moves deep. */
  | 'medium';

/** How the server knows the result. */
export type GameSource =
  /** The client sent only the result, over REST. The operator can forbid this. */
  | 'reported'
  /** The server has replayed the game from its seed and its moves. */
  | 'verified';

/** Why the server refuses a link. */
export type LinkRefusalReason =
  /** The operator does not allow this identity to be linked. */
  | 'account_not_linkable'
  /** The identity is linked to this player already. */
  | 'already_linked'
  /** The identity belongs to a player who has played: see `owner`. */
  | 'has_own_player'
  /** Somebody has signed in with the identity at the same time. Start again. */
  | 'identity_changed'
  /** The code is spent, older than five minutes, or of another session. */
  | 'link_expired'
  /** The player has another identity at this provider. Unlink it first. */
  | 'provider_linked';

/** The mark on a square. */
export type Mark =
  /** The bot. */
  | 'O'
  /** The player, who moves first. */
  | 'X';

/** Why the server refuses a name. */
export type NameRefusalReason =
  /** A moderator has set the name. */
  | 'name_decided'
  /** The name has no visible character. */
  | 'name_not_visible'
  /** The player has changed the name three times on this UTC day. */
  | 'too_many_names';

/** Who has given a player the name. */
export type NameSource =
  /** A moderator or an operator. The player cannot change it. */
  | 'moderator'
  /** The player, by `chooseName`. */
  | 'player'
  /** The provider, at the last sign-in. */
  | 'provider';

/** Which players a moderator wants to see. */
export type PlayerList =
  /** All players, hidden and banned ones too. */
  | 'all'
  /** Those who are banned. */
  | 'banned'
  /** Those who are hidden. */
  | 'hidden';

/** What a list of players goes by. */
export type PlayerOrder =
  /** The newest first: by the first sign-in; hidden and banned ones by that decision. */
  | 'date'
  /** By name, A first. */
  | 'name'
  /** The highest rate of wins first. Players with fewer than 30 finished games are left out. */
  | 'rate'
  /** The highest score first. Players without a finished game are left out. */
  | 'score';

/** An identity provider. */
export type Provider =
  /** GitHub. */
  | 'github'
  /** Google. */
  | 'google'
  /** Any other. */
  | 'unknown';

/** Why the server refuses a game. `too_fast`, `too_many_games` and `too_many_games_today` are temporary; the others are permanent. */
export type RefusalReason =
  /** This ticket was already used for a game with other moves. Start a new game. */
  | 'already_counted'
  /** This game is not finished. Play it to the end and send all of your squares. */
  | 'game_unfinished'
  /** A square is taken or off the board, or the game was over before it. Nothing has changed. */
  | 'illegal_move'
  /** The ticket is older than seven days. */
  | 'ticket_expired'
  /** This server did not issue this ticket. Start a new game. */
  | 'ticket_invalid'
  /** This ticket belongs to another player. Start a new game. */
  | 'ticket_of_another_player'
  /** The game took less time than the bot needs: 500 ms for each of its moves. */
  | 'too_fast'
  /** You have finished too many games within one minute. Send this game again in a minute. */
  | 'too_many_games'
  /** The player has reached the limit of games for this UTC day. Send this game again from `countsFrom` on, before its ticket expires: it then counts for the later day. */
  | 'too_many_games_today'
  /** This game was voided, so it does not count. */
  | 'voided';

/** How a game ended for the player, who plays X. */
export type Result =
  /** A full board without a line. */
  | 'draw'
  /** Three O in a line. */
  | 'lose'
  /** Three X in a line. */
  | 'win';

/** What a personal token may do. REST and the descriptions write a colon: `games:write`. */
export type TokenScope =
  /** `me { email }`. */
  | 'account_read'
  /** The finished games. */
  | 'games_read'
  /** Start and finish games, and report results. */
  | 'games_write'
  /** Stats, badges and places on the leaderboard. */
  | 'stats_read';

export type SignedInBrowserFragment = { __typename: 'Session', id: string, browser: string, signedInAt: string, lastSeenAt: string, current: boolean };

export type MySessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type MySessionsQuery = { mySessions: Array<(
    { __typename: 'Session' }
    & SignedInBrowserFragment
  )> };

export type EndSessionMutationVariables = Exact<{
  id: string;
}>;


export type EndSessionMutation = { endSession: Array<(
    { __typename: 'Session' }
    & SignedInBrowserFragment
  )> };

export type EndOtherSessionsMutationVariables = Exact<{ [key: string]: never; }>;


export type EndOtherSessionsMutation = { endOtherSessions: Array<(
    { __typename: 'Session' }
    & SignedInBrowserFragment
  )> };

export type SignOutEverywhereMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutEverywhereMutation = { signOutEverywhere: boolean };

export type DeleteAccountMutationVariables = Exact<{ [key: string]: never; }>;


export type DeleteAccountMutation = { deleteAccount: boolean };

export type MyNameQueryVariables = Exact<{ [key: string]: never; }>;


export type MyNameQuery = { me: { __typename: 'Me', id: string, name: string, nameFrom: NameSource, pageIsOpen: boolean, programGames: number } };

export type SetPageOpenMutationVariables = Exact<{
  open: boolean;
}>;


export type SetPageOpenMutation = { setPageOpen: boolean };

export type ChooseNameMutationVariables = Exact<{
  name?: string | null | undefined;
}>;


export type ChooseNameMutation = { chooseName:
    | { __typename: 'NameChosen', me: { __typename: 'Me', id: string, name: string, nameFrom: NameSource } }
    | { __typename: 'NameRefused', reason: NameRefusalReason, message: string }
   };

export type MyAchievementsQueryVariables = Exact<{ [key: string]: never; }>;


export type MyAchievementsQuery = { me: { __typename: 'Me', achievements: { __typename: 'Achievements', badgeDetails: Array<{ __typename: 'BadgeDetails', badge: Badge, reached: boolean, reachedAt: string | null, progress: number | null, goal: number | null }> } } };

export type LinkedIdentityFragment = { __typename: 'Identity', provider: Provider, linkedAt: string };

export type MyIdentitiesQueryVariables = Exact<{ [key: string]: never; }>;


export type MyIdentitiesQuery = { myIdentities: Array<(
    { __typename: 'Identity' }
    & LinkedIdentityFragment
  )> };

export type RefusedLinkFragment = { __typename: 'LinkRefused', reason: LinkRefusalReason, owner: { __typename: 'IdentityOwner', name: string, games: number, isOnlyOne: boolean } | null };

export type PendingLinkQueryVariables = Exact<{
  code: string;
}>;


export type PendingLinkQuery = { pendingLink: { __typename: 'PendingLink', provider: Provider, name: string, email: string | null, refusal: (
      { __typename: 'LinkRefused' }
      & RefusedLinkFragment
    ) | null } | null };

export type ConfirmLinkMutationVariables = Exact<{
  code: string;
}>;


export type ConfirmLinkMutation = { confirmLink:
    | { __typename: 'IdentityLinked' }
    | (
      { __typename: 'LinkRefused' }
      & RefusedLinkFragment
    )
   };

export type UnlinkIdentityMutationVariables = Exact<{
  provider: Provider;
}>;


export type UnlinkIdentityMutation = { unlinkIdentity: Array<(
    { __typename: 'Identity' }
    & LinkedIdentityFragment
  )> };

export type ChallengeGamesFragment = { __typename: 'ChallengeAttempt', day: string, totalMoves: number | null, games: Array<{ __typename: 'ChallengeGame', number: number, difficulty: Difficulty, started: boolean, squares: Array<number>, result: Result | null }> };

export type MyChallengeQueryVariables = Exact<{ [key: string]: never; }>;


export type MyChallengeQuery = { me: { __typename: 'Me', id: string, rivals: Array<{ __typename: 'Rival', playerId: string, name: string, lastLost: string | null }> }, myChallenge: { __typename: 'MyChallenge', endsAt: string, par: number | null, place: number | null, players: number, run: number, isBetter: boolean, takersInAll: number, attempt: (
      { __typename: 'ChallengeAttempt' }
      & ChallengeGamesFragment
    ), days: Array<{ __typename: 'MyChallengeDay', day: string, wins: number, draws: number }>, yesterday: { __typename: 'ChallengeStanding', place: number, players: number } | null, takers: Array<{ __typename: 'ChallengeTaker', playerId: string, name: string, wins: number, result: Result }> } };

export type ChallengeTableQueryVariables = Exact<{
  day: string;
}>;


export type ChallengeTableQuery = { challenge: { __typename: 'Challenge', commitment: string | null, entries: Array<(
      { __typename: 'ChallengeEntry' }
      & ChallengeRowFragment
    )> } };

export type DuelQueryVariables = Exact<{
  day: string;
  rivalId: string;
  playerId: string;
}>;


export type DuelQuery = { challenge: { __typename: 'Challenge', over: boolean, seeds: Array<string> | null, par: number | null, rival: (
      { __typename: 'ChallengeEntry' }
      & ChallengeRowFragment
    ) | null, mine: (
      { __typename: 'ChallengeEntry' }
      & ChallengeRowFragment
    ) | null } };

export type ChallengeRowFragment = { __typename: 'ChallengeEntry', place: number, playerId: string, name: string, picture: string, wins: number, draws: number, totalMoves: number, results: Array<Result> };

type ChallengeReply_ChallengePlayed_Fragment = { __typename: 'ChallengePlayed', attempt: (
    { __typename: 'ChallengeAttempt' }
    & ChallengeGamesFragment
  ), stats: (
    { __typename: 'PlayerStats' }
    & StatsPanelStatsFragment
  ) | null };

type ChallengeReply_ChallengeRefused_Fragment = { __typename: 'ChallengeRefused', reason: ChallengeRefusalReason, attempt: (
    { __typename: 'ChallengeAttempt' }
    & ChallengeGamesFragment
  ) };

export type ChallengeReplyFragment =
  | ChallengeReply_ChallengePlayed_Fragment
  | ChallengeReply_ChallengeRefused_Fragment
;

export type StartChallengeGameMutationVariables = Exact<{
  day: string;
  game: number;
  daredBy?: string | null | undefined;
}>;


export type StartChallengeGameMutation = { startChallengeGame:
    | (
      { __typename: 'ChallengePlayed' }
      & ChallengeReply_ChallengePlayed_Fragment
    )
    | (
      { __typename: 'ChallengeRefused' }
      & ChallengeReply_ChallengeRefused_Fragment
    )
   };

export type PlayChallengeMoveMutationVariables = Exact<{
  day: string;
  game: number;
  move: number;
  square: number;
}>;


export type PlayChallengeMoveMutation = { playChallengeMove:
    | (
      { __typename: 'ChallengePlayed' }
      & ChallengeReply_ChallengePlayed_Fragment
    )
    | (
      { __typename: 'ChallengeRefused' }
      & ChallengeReply_ChallengeRefused_Fragment
    )
   };

export type RivalFragment = { __typename: 'Rival', playerId: string, name: string, picture: string, daysWon: number, daysDrawn: number, daysLost: number, today: (
    { __typename: 'ChallengeEntry' }
    & ChallengeRowFragment
  ) | null };

export type MyRivalsQueryVariables = Exact<{
  day: string;
  playerId: string;
}>;


export type MyRivalsQuery = { me: { __typename: 'Me', rivals: Array<(
      { __typename: 'Rival' }
      & RivalFragment
    )> }, challenge: { __typename: 'Challenge', mine: (
      { __typename: 'ChallengeEntry' }
      & ChallengeRowFragment
    ) | null } };

export type ForgetRivalMutationVariables = Exact<{
  playerId: string;
}>;


export type ForgetRivalMutation = { forgetRival: Array<{ __typename: 'Rival', playerId: string }> };

export type MyStatsQueryVariables = Exact<{ [key: string]: never; }>;


export type MyStatsQuery = { me: { __typename: 'Me', stats: (
      { __typename: 'PlayerStats' }
      & StatsPanelStatsFragment
    ) } };

export type HistoryGameFragment = { __typename: 'Game', id: string, difficulty: Difficulty, result: Result, points: number, bonus: boolean, finishedAt: string, source: GameSource, challengeDay: string | null, seed: string | null, moves: Array<{ __typename: 'Move', mark: Mark, square: number }> | null };

export type ChallengeSeedsQueryVariables = Exact<{
  day: string;
}>;


export type ChallengeSeedsQuery = { challenge: { __typename: 'Challenge', seeds: Array<string> | null } };

export type MyGamesQueryVariables = Exact<{
  first: number;
}>;


export type MyGamesQuery = { me: { __typename: 'Me', games: { __typename: 'GameConnection', edges: Array<{ __typename: 'GameEdge', node: (
          { __typename: 'Game' }
          & HistoryGameFragment
        ) }> } } };

export type LeaderboardRowEntryFragment = { __typename: 'LeaderboardEntry', playerId: string, name: string, picture: string, score: number, wins: number, losses: number, draws: number, totalGames: number, byProgram: boolean };

export type LiveLeaderboardSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type LiveLeaderboardSubscription = { leaderboard: Array<(
    { __typename: 'LeaderboardEntry' }
    & LeaderboardRowEntryFragment
  )> };

export type WeekLeaderboardQueryVariables = Exact<{
  week: string;
}>;


export type WeekLeaderboardQuery = { leaderboard: Array<(
    { __typename: 'LeaderboardEntry' }
    & LeaderboardRowEntryFragment
  )> };

export type MyWeekQueryVariables = Exact<{
  week: string;
}>;


export type MyWeekQuery = { me: { __typename: 'Me', week: (
      { __typename: 'LeaderboardEntry', rank: number | null }
      & LeaderboardRowEntryFragment
    ) | null } };

export type RivalsWeekQueryVariables = Exact<{ [key: string]: never; }>;


export type RivalsWeekQuery = { me: { __typename: 'Me', name: string, picture: string, week: { __typename: 'LeaderboardEntry', score: number } | null, rivals: Array<{ __typename: 'Rival', playerId: string, name: string, picture: string, weekScore: number }> } };

export type LeaderboardAroundQueryVariables = Exact<{
  before: number;
  after: number;
}>;


export type LeaderboardAroundQuery = { me: { __typename: 'Me', standing: { __typename: 'Standing', exact: boolean, neighbours: { __typename: 'Neighbours', entries: Array<(
          { __typename: 'LeaderboardEntry', rank: number | null }
          & LeaderboardRowEntryFragment
        )> } } | null } };

export type LeaderboardQueryVariables = Exact<{
  limit: number;
}>;


export type LeaderboardQuery = { leaderboard: Array<(
    { __typename: 'LeaderboardEntry' }
    & LeaderboardRowEntryFragment
  )> };

export type ModeratorCheckQueryVariables = Exact<{ [key: string]: never; }>;


export type ModeratorCheckQuery = { me: { __typename: 'Me', id: string, isModerator: boolean } };

export type ModeratedRowFragment = { __typename: 'ModeratedPlayer', id: string, name: string, picture: string, createdAt: string, score: number, totalGames: number, rate: number | null, renamedAt: string | null, providerName: string | null, hiddenAt: string | null, bannedAt: string | null, bannedUntil: string | null, isModerator: boolean };

export type ModeratedPlayersQueryVariables = Exact<{
  list: PlayerList;
  orderBy: PlayerOrder;
  search?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type ModeratedPlayersQuery = { moderatedPlayers: { __typename: 'ModeratedPlayerConnection', edges: Array<{ __typename: 'ModeratedPlayerEdge', node: (
        { __typename: 'ModeratedPlayer' }
        & ModeratedRowFragment
      ) }>, pageInfo: { __typename: 'PageInfo', endCursor: string | null, hasNextPage: boolean } } };

export type ModeratedGameFragment = { __typename: 'Game', id: string, difficulty: Difficulty, result: Result, points: number, byProgram: boolean, finishedAt: string, source: GameSource };

export type PlayerReportQueryVariables = Exact<{
  id: string;
}>;


export type PlayerReportQuery = { playerReport: { __typename: 'PlayerReport', liveSessions: number, liveTokens: number, player: (
      { __typename: 'ModeratedPlayer', lastGameAt: string | null }
      & ModeratedRowFragment
    ), identities: Array<{ __typename: 'Identity', providerName: string, linkedAt: string }>, voidedGames: Array<(
      { __typename: 'Game' }
      & ModeratedGameFragment
    )>, games: { __typename: 'GameConnection', edges: Array<{ __typename: 'GameEdge', node: (
          { __typename: 'Game' }
          & ModeratedGameFragment
        ) }> } } | null };

export type AuditQueryVariables = Exact<{
  playerId?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type AuditQuery = { audit: { __typename: 'AuditConnection', edges: Array<{ __typename: 'AuditEdge', node: { __typename: 'AuditEntry', id: string, at: string, operator: string, action: string, playerId: string | null, target: string | null, reason: string, before: string | null, after: string | null } }>, pageInfo: { __typename: 'PageInfo', endCursor: string | null, hasNextPage: boolean } } };

export type DecidedFragment = { __typename: 'Decision', changed: boolean, said: string, player: (
    { __typename: 'ModeratedPlayer' }
    & ModeratedRowFragment
  ) | null };

export type NotDecidedFragment = { __typename: 'DecisionRefused', message: string };

export type RenamePlayerMutationVariables = Exact<{
  id: string;
  reason: string;
  name: string;
}>;


export type RenamePlayerMutation = { answer:
    | (
      { __typename: 'Decision' }
      & DecidedFragment
    )
    | (
      { __typename: 'DecisionRefused' }
      & NotDecidedFragment
    )
   };

export type RestorePlayerNameMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type RestorePlayerNameMutation = { answer:
    | (
      { __typename: 'Decision' }
      & DecidedFragment
    )
    | (
      { __typename: 'DecisionRefused' }
      & NotDecidedFragment
    )
   };

export type HidePlayerMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type HidePlayerMutation = { answer:
    | (
      { __typename: 'Decision' }
      & DecidedFragment
    )
    | (
      { __typename: 'DecisionRefused' }
      & NotDecidedFragment
    )
   };

export type UnhidePlayerMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type UnhidePlayerMutation = { answer:
    | (
      { __typename: 'Decision' }
      & DecidedFragment
    )
    | (
      { __typename: 'DecisionRefused' }
      & NotDecidedFragment
    )
   };

export type BanPlayerMutationVariables = Exact<{
  id: string;
  reason: string;
  until?: string | null | undefined;
}>;


export type BanPlayerMutation = { answer:
    | (
      { __typename: 'Decision' }
      & DecidedFragment
    )
    | (
      { __typename: 'DecisionRefused' }
      & NotDecidedFragment
    )
   };

export type UnbanPlayerMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type UnbanPlayerMutation = { answer:
    | (
      { __typename: 'Decision' }
      & DecidedFragment
    )
    | (
      { __typename: 'DecisionRefused' }
      & NotDecidedFragment
    )
   };

export type SignOutPlayerMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type SignOutPlayerMutation = { answer:
    | (
      { __typename: 'Decision' }
      & DecidedFragment
    )
    | (
      { __typename: 'DecisionRefused' }
      & NotDecidedFragment
    )
   };

export type VoidGameMutationVariables = Exact<{
  id: string;
  gameId: string;
  reason: string;
}>;


export type VoidGameMutation = { answer:
    | (
      { __typename: 'Decision' }
      & DecidedFragment
    )
    | (
      { __typename: 'DecisionRefused' }
      & NotDecidedFragment
    )
   };

export type UnvoidGameMutationVariables = Exact<{
  id: string;
  gameId: string;
  reason: string;
}>;


export type UnvoidGameMutation = { answer:
    | (
      { __typename: 'Decision' }
      & DecidedFragment
    )
    | (
      { __typename: 'DecisionRefused' }
      & NotDecidedFragment
    )
   };

export type FinishGameMutationVariables = Exact<{
  ticket: string;
  squares: Array<number> | number;
}>;


export type FinishGameMutation = { finishGame:
    | { __typename: 'GameCounted', countsFrom: string | null, gamesPerDay: number, game: (
        { __typename: 'Game' }
        & HistoryGameFragment
      ), stats: (
        { __typename: 'PlayerStats' }
        & StatsPanelStatsFragment
      ) }
    | { __typename: 'GameRefused', reason: RefusalReason, message: string, countsFrom: string | null, gamesPerDay: number }
   };

export type MyProgressQueryVariables = Exact<{ [key: string]: never; }>;


export type MyProgressQuery = { me: { __typename: 'Me', achievements: { __typename: 'Achievements', hardDrawsInARow: number, bestHardDrawsInARow: number, badges: Array<Badge> }, standing: { __typename: 'Standing', rank: number, exact: boolean } | null } };

export type StartGameMutationVariables = Exact<{
  difficulty: Difficulty;
}>;


export type StartGameMutation = { startGame: { __typename: 'Ticket', gameId: string, difficulty: Difficulty, seed: string, token: string, expiresAt: string, countsFrom: string | null, gamesPerDay: number } };

export type PlayerGreetingQueryVariables = Exact<{
  id: string;
}>;


export type PlayerGreetingQuery = { player: { __typename: 'Player', id: string, name: string, stats: { __typename: 'PlayerStats', playerId: string, score: number } } | null };

export type PlayerPageFragment = { __typename: 'Player', id: string, name: string, picture: string, since: string, bestHardDrawsInARow: number, run: number, stats: (
    { __typename: 'PlayerStats' }
    & StatsPanelStatsFragment
  ), standing: { __typename: 'Standing', rank: number, exact: boolean } | null, week: { __typename: 'LeaderboardEntry', score: number } | null, weeks: Array<{ __typename: 'PlayerWeek', week: string, score: number, wins: number, draws: number, losses: number }>, badges: Array<{ __typename: 'BadgeDetails', badge: Badge, reachedAt: string | null }>, games: { __typename: 'GameConnection', edges: Array<{ __typename: 'GameEdge', node: (
        { __typename: 'Game' }
        & HistoryGameFragment
      ) }> } };

export type PlayerPageQueryVariables = Exact<{
  id: string;
  isYou: boolean;
}>;


export type PlayerPageQuery = { player?: (
    { __typename: 'Player' }
    & PlayerPageFragment
  ) | null, me?: { __typename: 'Me', pageIsOpen: boolean, page: (
      { __typename: 'Player' }
      & PlayerPageFragment
    ) } };

export type ListedTokenFragment = { __typename: 'PersonalToken', id: string, name: string, scopes: Array<TokenScope>, lastUsedAt: string | null, expiresAt: string | null };

export type MyTokensQueryVariables = Exact<{ [key: string]: never; }>;


export type MyTokensQuery = { myTokens: Array<(
    { __typename: 'PersonalToken' }
    & ListedTokenFragment
  )> };

export type CreateTokenMutationVariables = Exact<{
  name: string;
  scopes: Array<TokenScope> | TokenScope;
  days?: number | null | undefined;
}>;


export type CreateTokenMutation = { createToken: { __typename: 'TokenCreated', secret: string, token: (
      { __typename: 'PersonalToken' }
      & ListedTokenFragment
    ) } };

export type RevokeTokenMutationVariables = Exact<{
  id: string;
}>;


export type RevokeTokenMutation = { revokeToken: Array<(
    { __typename: 'PersonalToken' }
    & ListedTokenFragment
  )> };

export type StatsPanelStatsFragment = { __typename: 'PlayerStats', playerId: string, score: number, winStreak: number, wins: number, losses: number, draws: number, easyWins: number, mediumWins: number, hardWins: number };

export * from './generated/account.js';
export * from './generated/challenge.js';
export * from './generated/playerStats.js';
export * from './generated/history.js';
export * from './generated/leaderboard.js';
export * from './generated/topTen.js';
export * from './generated/moderation.js';
export * from './generated/play.js';
export * from './generated/greeting.js';
export * from './generated/player.js';
export * from './generated/playground.js';
export * from './generated/stats.js';
