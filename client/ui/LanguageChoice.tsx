import { language, LANGUAGES } from '../messages/language.js';
import { messages } from '../messages/login.js';
import { stored } from './stored.js';

// `firstLanguage.js` repeats the key.
const KEY = 'tic-tac-toe.language';

/** The page loads again in another language. A game that is under way goes on then (`storeRound`). */
export function LanguageChoice() {
  return (
    <select
      className="language"
      aria-label={messages.language}
      value={language}
      onChange={({ target }) => {
        stored.set(KEY, target.value);
        location.reload();
      }}
    >
      {Object.entries(LANGUAGES).map(([name, words]) => (
        <option key={name} value={name} lang={name}>
          {words}
        </option>
      ))}
    </select>
  );
}
