import { expect, it } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import '../testing/browser.js';
import { Avatar } from './Avatar.js';

it('A picture keeps its place, tells its host nothing, and gives way to the first letter when it does not load', () => {
  render(<Avatar name="ada" picture="https://avatars.githubusercontent.com/u/1" />);
  const picture = screen.getByRole('presentation');
  expect(picture).toHaveAttribute('width', '40');
  expect(picture).toHaveAttribute('referrerpolicy', 'no-referrer');
  fireEvent.error(picture);
  expect(screen.getByText('A')).toBeVisible();
});

it('Another picture is tried anew', () => {
  const { rerender } = render(<Avatar name="Ada" picture="/broken" />);
  fireEvent.error(screen.getByRole('presentation'));
  rerender(<Avatar name="Ada" picture="/whole" />);
  expect(screen.getByRole('presentation')).toHaveAttribute('src', '/whole');
});
