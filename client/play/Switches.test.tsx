import { expect, it, jest } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import '../testing/browser.js';
import { feedbackSwitches } from '../ui/switches.js';
import { Switches } from './Switches.js';
import { render } from '../testing/render.js';

it('offers vibration on a touch screen that can vibrate, unless motion is reduced', async () => {
  render(<Switches />);
  expect(screen.queryByRole('checkbox', { name: 'Vibrate' })).toBeNull();
  cleanup();
  const matchMedia = jest.spyOn(window, 'matchMedia');
  const matching = (...matched: string[]) =>
    matchMedia.mockImplementation(
      (media) => Object.assign(new EventTarget(), { media, matches: matched.includes(media) }) as MediaQueryList,
    );
  Object.assign(navigator, { vibrate: () => true });
  matching('(pointer: coarse)', '(prefers-reduced-motion: reduce)');
  render(<Switches />);
  expect(screen.queryByRole('checkbox', { name: 'Vibrate' })).toBeNull();
  cleanup();
  matching('(pointer: coarse)');
  const user = userEvent.setup();
  render(<Switches />);
  await user.click(screen.getByRole('checkbox', { name: 'Vibrate' }));
  expect(feedbackSwitches.vibration.isOn()).toBe(true);
  matchMedia.mockRestore();
  Reflect.deleteProperty(navigator, 'vibrate');
});
