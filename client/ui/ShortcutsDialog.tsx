import { texts } from '../texts/game.js';
import { Button } from './Button.js';
import { Dialog } from './Dialog.js';
import { useShortcutsSwitch } from './useShortcuts.js';
import './ShortcutsDialog.css';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useShortcutsSwitch();
  return (
    <Dialog
      title={texts.shortcuts.title}
      onClose={onClose}
      footer={
        <Button look="main" onClick={onClose}>
          {texts.shortcuts.close}
        </Button>
      }
    >
      <dl className="shortcuts">
        {texts.shortcuts.list.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(', ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label className="shortcuts-switch">
        <input type="checkbox" checked={on} onChange={(event) => setOn(event.target.checked)} />
        {texts.shortcuts.enabled}
      </label>
    </Dialog>
  );
}
