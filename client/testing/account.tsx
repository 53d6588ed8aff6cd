import { beforeEach, expect, jest } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { noStats } from '../../game/scoring.js';
import { AccountDialog } from '../account/AccountDialog.js';
import './browser.js';
import { FakeServer, SignedIn, forgetEverything } from './server.js';
import { ada } from './session.js';

export const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const session = (id: string, browser: string, over: object = {}) => ({
  __typename: 'Session',
  id,
  browser,
  signedInAt: ago(3 * 24 * 60),
  lastSeenAt: ago(5),
  current: false,
  ...over,
});

const stats = { ...noStats, wins: 1207, easyWins: 1200, mediumWins: 7 };

interface Stored {
  sessions: ReturnType<typeof session>[];
  identities: object[];
  achievements: { badges: string[]; [field: string]: unknown };
}

/** What the server stores about the account. */
export const stored: Stored = { sessions: [], identities: [], achievements: { badges: [] } };
export const onSignedOut = jest.fn();
export const onFeedbackOn = jest.fn<(kind: string) => void>();
export const reauthenticate = jest.fn<() => Promise<void>>();
export const install = jest.fn();
export const fetchExport = jest.fn<() => Promise<Response>>();
export const postLink = jest.fn<(provider: string) => Promise<Response>>();

/** The parts of a file response that the page uses. */
export const aFile = (text: string) =>
  ({
    ok: true,
    status: 200,
    headers: new Headers({ 'content-disposition': 'attachment; filename="tic-tac-toe-2026-03-20.json"' }),
    blob: async () => new Blob([text], { type: 'application/json' }),
  }) as Response;

/** Gives each test of a file empty storages and a server with an account. */
export function isolateAccounts(use: (server: FakeServer) => void): void {
  beforeEach(() => {
    forgetEverything();
    onSignedOut.mockClear();
    onFeedbackOn.mockClear();
    reauthenticate.mockReset().mockResolvedValue();
    fetchExport.mockReset().mockResolvedValue(aFile('{"player":"Ada"}'));
    stored.sessions = [
      session('s-1', 'Chrome on Linux', { current: true }),
      session('s-2', 'Safari on iOS'),
      session('s-3', 'Firefox on Windows'),
    ];
    stored.identities = [{ __typename: 'Identity', provider: 'google', linkedAt: ago(60) }];
    const server = new FakeServer().install();
    stored.achievements = {
      __typename: 'Achievements',
      playerId: 'p-ada',
      hardDraws: 9,
      hardDrawsInARow: 5,
      bestHardDrawsInARow: 12,
      badges: ['first_easy_win', 'first_medium_win', 'first_hard_draw'],
    };
    server.handlers.MyAchievements = () => ({ data: { myAchievements: stored.achievements } });
    server.handlers.MyIdentities = () => ({ data: { myIdentities: stored.identities } });
    server.handlers.MySessions = () => ({ data: { mySessions: stored.sessions } });
    server.handlers.EndSession = ({ id }) => ({ data: { endSession: stored.sessions.filter((one) => one.id !== id) } });
    server.handlers.EndOtherSessions = () => ({
      data: { endOtherSessions: stored.sessions.filter(({ current }) => current) },
    });
    server.handlers.SignOutEverywhere = () => ({ data: { signOutEverywhere: true } });
    server.handlers.DeleteAccount = () => ({ data: { deleteAccount: true } });
    use(server);
  });
}

/** The account dialog, open until it closes itself. */
export function Page({ installable = false, returned = '' }) {
  const [open, setOpen] = useState(true);
  const installer = installable ? install : null;
  const props = {
    stats,
    fetchExport,
    postLink,
    returned,
    reauthenticate,
    onSignedOut,
    onFeedbackOn,
    install: installer,
  };
  return open && <AccountDialog player={ada} {...props} onClose={() => setOpen(false)} />;
}

/** Opens the account, and waits for its answers. */
export async function openAccount() {
  const user = userEvent.setup();
  render(<Page />, { wrapper: SignedIn });
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
  return user;
}

export const button = (name: string) => screen.getByRole('button', { name });
export const region = (name: string) => within(screen.getByRole('region', { name }));
export const rows = () => region('Signed-in browsers').getAllByRole('listitem');
export const browsers = () => rows().map((row) => within(row).getByText(/ on /).textContent);
