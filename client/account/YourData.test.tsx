import { expect, it, jest } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aFile, button, fetchExport, isolateAccounts, onSignedOut, openAccount } from '../testing/account.js';
import type { FakeServer } from '../testing/server.js';

let server: FakeServer;
isolateAccounts((next) => (server = next));

it("removes a deleted player's data from this browser and keeps other data", async () => {
  const others = ['tic-tac-toe.outbox.p-bob.g', 'tic-tac-toe.theme'];
  for (const key of ['tic-tac-toe.outbox.p-ada.g', 'tic-tac-toe.ticket.p-ada.easy', ...others]) {
    localStorage.setItem(key, '{}');
  }
  const user = await openAccount('data');
  await user.click(button('Delete account'));
  await user.click(button('Delete for good'));
  expect(onSignedOut).toHaveBeenCalledTimes(1);
  expect(Object.keys(localStorage).sort()).toEqual(others);
});

it.each<[string, () => unknown]>([
  ['the button that keeps it', () => userEvent.click(button('Keep my account'))],
  ['Escape', () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))],
])('cancels the confirmation by %s and keeps the dialog open', async (_, leave) => {
  const user = await openAccount('data');
  await user.click(button('Delete account'));
  await leave();
  expect(button('Delete account')).toHaveFocus();
  expect(server.called('DeleteAccount')).toBe(0);
});

it('cancels the confirmation when another tab is chosen, and closes at Escape there', async () => {
  const user = await openAccount('data');
  await user.click(button('Delete account'));
  const profile = screen.getByRole('tab', { name: 'Profile' });
  await user.click(profile);
  expect(profile).toHaveFocus();
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it("explains a failed download, in the server's words if it refused, and offers a retry", async () => {
  fetchExport.mockResolvedValueOnce({ ok: false, status: 500 } as Response);
  const user = await openAccount('data');
  await user.click(button('Download my data'));
  expect(await screen.findByRole('alert')).toHaveTextContent('Your data could not be downloaded.');
  const error = 'Your data is being downloaded already. Try again when that download has ended.';
  fetchExport.mockResolvedValueOnce({ ok: false, status: 429, json: async () => ({ error }) } as Response);
  await user.click(button('Try again'));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(error));
  fetchExport.mockRejectedValueOnce(new TypeError('the connection broke'));
  await user.click(button('Try again'));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Your data could not be downloaded.'));
});

it('announces a repeated action again', async () => {
  Object.assign(URL, { createObjectURL: () => 'blob:here', revokeObjectURL: () => undefined });
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const user = await openAccount('data');
  await user.click(button('Download my data'));
  expect(await screen.findByText('Your data has been downloaded.')).toBeInTheDocument();
  let answer: (file: Response) => void = () => undefined;
  fetchExport.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  await user.click(button('Download my data'));
  expect(screen.queryByText('Your data has been downloaded.')).toBeNull();
  answer(aFile('{}'));
  expect(await screen.findByText('Your data has been downloaded.')).toBeInTheDocument();
});
