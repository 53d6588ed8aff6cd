import { expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import '../testing/browser.js';
import { Avatar } from './Avatar.js';
import { render } from '../testing/render.js';

it('reserves its size, sends no referrer, and shows the first letter when the picture fails to load', () => {
  render(<Avatar name="ada" picture="https://avatars.githubusercontent.com/u/1" />);
  const picture = screen.getByRole('presentation');
  expect(picture).toHaveAttribute('width', '40');
  expect(picture).toHaveAttribute('referrerpolicy', 'no-referrer');
  fireEvent.error(picture);
  expect(screen.getByText('A')).toBeVisible();
});

it('loads a new picture after a failed one', () => {
  const { rerender } = render(<Avatar name="Ada" picture="/broken" />);
  fireEvent.error(screen.getByRole('presentation'));
  rerender(<Avatar name="Ada" picture="/whole" />);
  expect(screen.getByRole('presentation')).toHaveAttribute('src', '/whole');
});
