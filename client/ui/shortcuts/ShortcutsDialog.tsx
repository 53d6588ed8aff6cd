import { messages } from '../../messages/game.js';
import { Dialog } from '../Dialog.js';
import { shortcutsSwitch } from './useShortcuts.js';
import './ShortcutsDialog.css';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [on, setOn] = shortcutsSwitch.useSwitch();
  return (
    <Dialog title={messages.shortcuts.title} onClose={onClose}>
      <dl className="shortcuts">
        {messages.shortcuts.list.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(', ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd className="faint">{meaning}</dd>
          </div>
        ))}
      </dl>
      <label className="shortcuts-switch switch">
        <input type="checkbox" checked={on} onChange={(event) => setOn(event.target.checked)} />
        {messages.shortcuts.enabled}
      </label>
    </Dialog>
  );
}
