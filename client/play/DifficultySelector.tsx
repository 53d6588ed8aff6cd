import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { memo, useId } from 'react';
import { DIFFICULTIES, type Difficulty } from '../../game/bot.js';
import { DIFFICULTY_NAMES } from '../messages/words.js';
import './DifficultySelector.css';

const DESCRIPTIONS: Readonly<Record<Difficulty, MessageDescriptor>> = {
  easy: msg`Bot plays randomly`,
  medium: msg`50% smart moves`,
  hard: msg`Unbeatable AI`,
};

interface Props {
  value: Difficulty;
  locked: boolean;
  onChange: (difficulty: Difficulty) => void;
}

export const DifficultySelector = memo(function DifficultySelector({ value, locked, onChange }: Props) {
  const { t } = useLingui();
  const id = useId();
  return (
    <fieldset className="difficulty" role="radiogroup" disabled={locked}>
      <legend className="visually-hidden">{t`Difficulty`}</legend>
      {DIFFICULTIES.map((difficulty) => (
        <label key={difficulty} className="difficulty-option">
          <input
            type="radio"
            name={id}
            className="difficulty-input"
            value={difficulty}
            checked={difficulty === value}
            onChange={() => onChange(difficulty)}
            aria-labelledby={`${id}-${difficulty}-name`}
            aria-describedby={`${id}-${difficulty}-description`}
          />
          <span id={`${id}-${difficulty}-name`} className="difficulty-name">
            {t(DIFFICULTY_NAMES[difficulty])}
          </span>
          <span id={`${id}-${difficulty}-description`} className="difficulty-description">
            {t(DESCRIPTIONS[difficulty])}
          </span>
        </label>
      ))}
    </fieldset>
  );
});
