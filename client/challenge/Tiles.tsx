import type { ReactNode } from 'react';
import type { Difficulty } from '../../game/bot.js';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import type { Result } from '../../game/rules.js';
import { messages } from '../messages/challenge.js';
import './challenge.css';

type TileState = Result | 'underWay' | null;

/**
 * The games of a challenge as coloured tiles. Each has a letter too, because a colour alone says nothing to many.
 * @param states for each of the five games
 */
export function Tiles({ states, label }: { states: readonly TileState[]; label: string }) {
  return (
    <ol className="challenge-tiles" aria-label={label}>
      {CHALLENGE_DIFFICULTIES.map((difficulty, at) => (
        <Tile key={at} number={at + 1} difficulty={difficulty} state={states[at] ?? null} />
      ))}
    </ol>
  );
}

function Tile({ number, difficulty, state }: { number: number; difficulty: Difficulty; state: TileState }) {
  let shown: ReactNode = number;
  let said: string = messages.notPlayed;
  if (state === 'underWay') {
    shown = '…';
    said = messages.underWay;
  } else if (state) {
    shown = messages.letters[state];
    said = messages.result[state];
  }
  return (
    <li data-state={state ?? 'none'}>
      <span aria-hidden="true" translate="no">
        {shown}
      </span>
      <span className="visually-hidden">{messages.tile(number, difficulty, said)}</span>
    </li>
  );
}
