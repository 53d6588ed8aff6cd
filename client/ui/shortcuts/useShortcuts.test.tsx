import { beforeEach, expect, it, jest } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import '../../testing/browser.js';
import { useShortcuts } from './useShortcuts.js';
import { render } from '../../testing/render.js';

beforeEach(() => localStorage.clear());

const pressed = jest.fn();

function Page() {
  useShortcuts({ l: () => pressed('l'), n: () => pressed('n'), 1: () => pressed('1'), '?': () => pressed('?') });
  return (
    <>
      <input aria-label="Text" />
      <input type="radio" aria-label="Difficulty" />
    </>
  );
}

function open() {
  pressed.mockClear();
  render(<Page />);
  return userEvent.setup();
}

it.each([
  ['a capital letter, as with Caps Lock', { key: 'N', code: 'KeyN' }, ['n']],
  ['a French question mark', { key: '?', code: 'KeyM', shiftKey: true }, ['?']],
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
