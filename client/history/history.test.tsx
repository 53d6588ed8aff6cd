import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import '../testing/browser.js';
import { aCountedGame, aFakeServer, graphqlError, myGames, SignedIn } from '../testing/server.js';
import { LastGames, useLastGames } from './LastGames.js';
import { render } from '../testing/render.js';

const server = aFakeServer();

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const games = (count: number) =>
  Array.from({ length: count }, (_, at) => aCountedGame({ id: `g-${at}`, finishedAt: ago(10 * at + 10) }));

function Page() {
  const { add, ...lastGames } = useLastGames();
  const [opened, setOpened] = useState('');
  return (
    <>
      <LastGames {...lastGames} onOpen={(game) => setOpened(game.id)} />
      <button onClick={() => add(aCountedGame({ id: 'new', result: 'draw', points: 0 }))}>a game is counted</button>
      <button onClick={() => add(aCountedGame({ id: 'late', result: 'lose', points: -1, finishedAt: ago(15) }))}>
        a game was counted before
      </button>
      <p>opened: {opened}</p>
    </>
  );
}

function open() {
  render(<Page />, { wrapper: SignedIn });
  return userEvent.setup();
}

const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent);

it('lists result, difficulty, time and points of each game, newest first', async () => {
  server.handlers.MyGames = () =>
    myGames(
      aCountedGame({ id: 'a', points: 2, bonus: true, finishedAt: ago(1) }),
      aCountedGame({ id: 'b', result: 'lose', points: -1, difficulty: 'hard', finishedAt: ago(120) }),
      aCountedGame({ id: 'c', result: 'draw', points: 0, difficulty: 'easy', finishedAt: ago(2 * 24 * 60) }),
      aCountedGame({
        id: 'd',
        result: 'lose',
        points: -1,
        moves: [],
        challengeDay: '2026-02-04',
        finishedAt: ago(9999),
      }),
    );
  open();
  expect(await screen.findByRole('button', { name: 'Replay: Win Medium · 1 minute ago +2 points' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Replay: Loss Hard · 2 hours ago −1 point' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Replay: Draw Easy · 2 days ago 0 points' })).toBeVisible();
  // Midnight has interrupted it.
  expect(screen.getByRole('button', { name: /^Replay: Unfinished Medium · 4 Feb challenge/ })).toBeVisible();
});

it('inserts a counted game by its time', async () => {
  server.handlers.MyGames = () => myGames(...games(2));
  const user = open();
  await screen.findAllByRole('listitem');
  await user.click(screen.getByRole('button', { name: 'a game is counted' }));
  await user.click(screen.getByRole('button', { name: 'a game was counted before' }));
  expect(rows().map((row) => /Win|Draw|Loss/.exec(row ?? '')?.[0])).toEqual(['Draw', 'Win', 'Loss', 'Win']);
  await user.click(screen.getByRole('button', { name: 'a game is counted' }));
  expect(rows()).toHaveLength(4);
  expect(server.called('MyGames')).toBe(1);
});

it('shows five games, and the others on demand', async () => {
  server.handlers.MyGames = () => myGames(...games(8));
  const user = open();
  expect(await screen.findAllByRole('listitem')).toHaveLength(5);
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(8);
  expect(screen.getAllByRole('button', { name: /^Replay/ })[5]).toHaveFocus();
});

it('explains the empty list before the first game', async () => {
  open();
  expect(await screen.findByText('No games yet.')).toBeVisible();
});

it('retries a failed list on request and after the next counted game', async () => {
  server.handlers.MyGames = () => graphqlError('INTERNAL_SERVER_ERROR');
  const user = open();
  expect(await screen.findByRole('alert')).toHaveTextContent("Couldn't load your last games.");
  const again = screen.getByRole('button', { name: 'Try again' });
  await user.click(again);
  await waitFor(() => expect(server.called('MyGames')).toBe(2));
  expect(again).toBeVisible();
  expect(again).toHaveFocus();
  server.handlers.MyGames = () => myGames(...games(1));
  await user.click(screen.getByRole('button', { name: 'a game is counted' }));
  expect(await screen.findAllByRole('listitem')).toHaveLength(1);
});
