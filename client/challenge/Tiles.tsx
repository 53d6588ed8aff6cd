import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { CSSProperties } from 'react';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import type { Result } from '../../game/rules.js';
import { DIFFICULTY_NAMES } from '../messages/words.js';
import './challenge.css';

/** One letter for each. */
const LETTERS = {
  win: msg({ message: 'W', context: 'a won game, in one letter' }),
  lose: msg({ message: 'L', context: 'a lost game, in one letter' }),
  draw: msg({ message: 'D', context: 'a drawn game, in one letter' }),
};

const STATES = { win: msg`won`, lose: msg`lost`, draw: msg`drawn`, underWay: msg`under way`, none: msg`not played` };

interface Props {
  /** For each of the five games. */
  states: readonly (Result | 'underWay' | null)[];
  label: string;
}

/** The games of a challenge as coloured tiles. Each has a letter too, because a colour alone says nothing to many. */
export function Tiles({ states, label }: Props) {
  const { t, i18n } = useLingui();
  return (
    <ol className="challenge-tiles" aria-label={label}>
      {CHALLENGE_DIFFICULTIES.map((difficulty, at) => {
        const state = states[at] ?? 'none';
        return (
          <li key={at} data-state={state} style={{ '--at': at } as CSSProperties}>
            <span aria-hidden="true" translate="no">
              {state === 'none' ? at + 1 : state === 'underWay' ? '…' : t(LETTERS[state])}
            </span>
            <span className="visually-hidden">{t`Game ${{ number: at + 1 }}, ${{ difficulty: i18n._(DIFFICULTY_NAMES[difficulty]) }}: ${{ state: i18n._(STATES[state]) }}`}</span>
          </li>
        );
      })}
    </ol>
  );
}
