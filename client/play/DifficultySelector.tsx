import { memo, useId } from 'react';
import { DIFFICULTIES, type Difficulty } from '../../game/bot.js';
import { messages } from '../messages/game.js';
import './DifficultySelector.css';

interface Props {
  value: Difficulty;
  locked: boolean;
  onChange: (difficulty: Difficulty) => void;
}

export const DifficultySelector = memo(function DifficultySelector({ value, locked, onChange }: Props) {
  const id = useId();
  return (
    <fieldset className="difficulty" role="radiogroup" disabled={locked}>
      <legend className="visually-hidden">{messages.play.difficulty}</legend>
      {DIFFICULTIES.map((difficulty) => {
        const { name, description } = messages.play.difficulties[difficulty];
        return (
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
              {name}
            </span>
            <span id={`${id}-${difficulty}-description`} className="difficulty-description">
              {description}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
});
