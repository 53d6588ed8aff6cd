import { plural, selectOrdinal, t } from '@lingui/core/macro';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { messages as game } from './game.js';
import { messages as leaderboard } from './leaderboard.js';

const MINUTE = 60_000;

/** "5 h 12 min", "12 min" or "less than a minute". */
function inTime(ms: number): string {
  const all = Math.floor(ms / MINUTE);
  if (all < 1) return t`less than a minute`;
  const [hours, minutes] = [Math.floor(all / 60), all % 60];
  if (hours === 0) return t`${minutes} min`;
  return minutes === 0 ? t`${hours} h` : t`${hours} h ${minutes} min`;
}

/** The messages of the challenge, which load with it. */
export const messages = {
  title: game.challenge,
  subtitle: t`Five games, the same for everybody`,
  loading: t`Loading the challenge`,
  failed: t`The challenge could not be loaded.`,
  intro: t`Two easy games, two medium, one hard. Wins count first, then draws, then moves: fewer are better. A lost or drawn game counts as five moves.`,
  ends: (ms: number, time: string): string =>
    t`Ends in ${{ left: inTime(ms) }}, at ${time}. Unfinished games count as lost.`,
  left: (ms: number): string => t`${{ time: inTime(ms) }} left`,
  nextIn: (ms: number): string => t`Next in ${{ time: inTime(ms) }}`,
  sum: (wins: number, draws: number): string => {
    if (draws === 0) return wins === 0 ? t`No wins` : plural(wins, { one: '# win', other: '# wins' });
    if (wins === 0) return plural(draws, { one: '# draw', other: '# draws' });
    return t`${plural(wins, { one: '# win', other: '# wins' })}, ${plural(draws, { one: '# draw', other: '# draws' })}`;
  },
  better: t`Better than yesterday!`,
  chart: t`Your last 30 days`,
  bar: (wins: number, days: number): string =>
    t`${plural(wins, { one: '# win', other: '# wins' })}: ${plural(days, { one: '# day', other: '# days' })}`,
  moves: (total: number): string => plural(total, { one: '# move', other: '# moves' }),
  best: (par: string): string => t`(best possible: ${par})`,
  gameOf: (number: number, of: number, difficulty: Difficulty): string =>
    t`Game ${number} of ${of} · ${{ difficulty: game.play.difficulties[difficulty].name }}`,
  start: (number: number, of: number): string => t`Start game ${number} of ${of}`,
  next: (number: number, of: number): string => t`Next: game ${number} of ${of}`,
  toResult: t`See your result`,
  saving: t`Saving…`,
  results: t`Your games`,
  place: (place: number, players: string): string =>
    t`${selectOrdinal(place, { one: '#st', two: '#nd', few: '#rd', other: '#th' })} of ${players} today`,
  today: {
    play: t({ message: 'Play', context: 'begin the challenge' }),
    goOn: t`Continue`,
    result: t`Result`,
    intro: t`Today's five games. One try.`,
    yesterday: (place: number, players: string): string =>
      t`Yesterday: ${selectOrdinal(place, { one: '#st', two: '#nd', few: '#rd', other: '#th' })} of ${players}`,
    run: (days: string): string => t`Day ${days}`,
    /** The name stands in place of the tags. */
    taker: (wins: number, result: Result): string =>
      ({
        win: t`<0>name</0> took your dare: ${wins} of 5, and beat you.`,
        draw: t`<0>name</0> took your dare: ${wins} of 5, a draw.`,
        lose: t`<0>name</0> took your dare: ${wins} of 5, and you won.`,
      })[result],
    moreTakers: (more: string): string => t`And ${more} more.`,
  },
  table: t`Today's best`,
  empty: t`Nobody has finished today's challenge yet.`,
  you: leaderboard.you,
  rank: (place: string): string => leaderboard.rank(place, true),
  /** The name stands in place of the tags. */
  dares: t`<0>name</0> dares you:`,
  duel: {
    title: t`Duel`,
    won: t`You win!`,
    drawn: t`A draw.`,
    /** The name stands in place of the tags. */
    lost: t`<0>name</0> wins.`,
    over: t`That day is over. Today's five games are new.`,
    nobody: game.dare.nobody,
    own: t`This is your own link. Send it to somebody.`,
  },
  share: t`Dare somebody`,
  shared: (day: string, tiles: string, moves: number): string =>
    t`Tic-Tac-Toe, ${day}: ${tiles} in ${plural(moves, { one: '# move', other: '# moves' })}. Beat me:`,
  copied: t`Copied: paste it wherever you like.`,
  notShared: t`Your browser could not share it. The text:`,
  trouble: {
    offline: t`The server did not answer. Your move is kept.`,
    offlineStart: t`The server did not answer. Please try again.`,
    elsewhere: t`You also played this game in another window. Here is where it stands.`,
    otherAccount: t`You played today's challenge with another account. There is a new one tomorrow.`,
    dayOver: t`The day is over, so an unfinished game is lost. There is a new challenge.`,
  },
};
