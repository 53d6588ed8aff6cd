import type { CSSProperties } from 'react';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import type { Result } from '../../game/rules.js';
import { messages as game } from '../messages/game.js';
import './challenge.css';

const messages = game.tiles;

interface Props {
  /** For each of the five games. */
  states: readonly (Result | 'underWay' | null)[];
  label: string;
}

/** The games of a challenge as coloured tiles. Each has a letter too, because a colour alone says nothing to many. */
export function Tiles({ states, label }: Props) {
  return (
    <ol className="challenge-tiles" aria-label={label}>
      {CHALLENGE_DIFFICULTIES.map((difficulty, at) => {
        const state = states[at] ?? 'none';
        return (
          <li key={at} data-state={state} style={{ '--at': at } as CSSProperties}>
            <span aria-hidden="true" translate="no">
              {state === 'none' ? at + 1 : messages.letters[state]}
            </span>
            <span className="visually-hidden">{messages.tile(at + 1, difficulty, messages.states[state])}</span>
          </li>
        );
      })}
    </ol>
  );
}
