import { useLingui } from '@lingui/react/macro';
import { Dialog } from '../Dialog.js';
import { shortcutsSwitch } from './useShortcuts.js';
import './ShortcutsDialog.css';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const [on, setOn] = shortcutsSwitch.useSwitch();
  const list = [
    [t`Arrow keys`, t`Move over the board`],
    [t`Enter, Space`, t`Mark the square`],
    ['N', t`New game`],
    ['L', t`Leaderboard`],
    ['1, 2, 3', t`Easy, Medium, Hard`],
    ['?', t`This list`],
  ] as const;
  return (
    <Dialog title={t`Keyboard shortcuts`} onClose={onClose}>
      <dl className="shortcuts">
        {list.map(([keys, meaning]) => (
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
        {t`Use single-key shortcuts`}
      </label>
    </Dialog>
  );
}
