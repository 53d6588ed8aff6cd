import { beforeEach, expect, it, jest } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import '../../testing/browser.js';
import { ShortcutsDialog } from './ShortcutsDialog.js';
import { useShortcuts } from './useShortcuts.js';
import { render } from '../../testing/render.js';

beforeEach(() => localStorage.clear());

const pressed = jest.fn();

function Page() {
  const [open, setOpen] = useState(false);
  useShortcuts({ l: () => pressed('l'), n: () => pressed('n'), 1: () => pressed('1'), '?': () => setOpen(true) });
  return (
    <>
      <input aria-label="Text" />
      <input type="radio" aria-label="Difficulty" />
      {open && <ShortcutsDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function open() {
  pressed.mockClear();
  render(<Page />);
  return userEvent.setup();
}

it('runs the action of a key, also with Caps Lock', async () => {
  const user = open();
  await user.keyboard('nN');
  expect(pressed).toHaveBeenCalledTimes(2);
});

it.each([
  ['a Russian letter at L', { key: 'д', code: 'KeyL' }, ['l']],
  ['a Greek capital letter at N', { key: 'Ν', code: 'KeyN', shiftKey: true }, ['n']],
  ['an Arabic digit', { key: '١', code: 'Digit1' }, ['1']],
  ['a French key that needs Shift for its digit', { key: '&', code: 'Digit1' }, ['1']],
  ['a Latin letter in the place of another', { key: 'b', code: 'KeyN' }, []],
  ['the sign above a digit', { key: '!', code: 'Digit1', shiftKey: true }, []],
  ['a key of the number pad that moves', { key: 'End', code: 'Numpad1' }, []],
])('%s', (_, key, expected) => {
  open();
  fireEvent.keyDown(document.body, key);
  expect(pressed.mock.calls.flat()).toEqual(expected);
});

it('ignores keys in text fields and with modifiers, but not on radio buttons', async () => {
  const user = open();
  await user.click(screen.getByRole('textbox'));
  await user.keyboard('n');
  await user.keyboard('{Control>}n{/Control}');
  expect(pressed).not.toHaveBeenCalled();
  await user.click(screen.getByRole('radio'));
  await user.keyboard('n');
  expect(pressed).toHaveBeenCalledTimes(1);
});

it('opens the list with the question mark of any keyboard, and ignores other keys while it is open', async () => {
  const user = open();
  fireEvent.keyDown(document.body, { key: '?', code: 'KeyM', shiftKey: true });
  expect(screen.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  expect(screen.getByText('Leaderboard')).toBeVisible();
  await user.keyboard('n');
  expect(pressed).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});
