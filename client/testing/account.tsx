import { beforeEach, expect, jest } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { AccountDialog } from '../account/AccountDialog.js';
import './browser.js';
import { FakeServer, SignedIn, answerOfMe, forgetEverything } from './server.js';
import type { Badge, MyAchievementsQuery } from '../graphql/generated.js';
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

type BadgeDetails = MyAchievementsQuery['me']['achievements']['badgeDetails'][number];

export const aBadge = (badge: Badge, over: Partial<BadgeDetails> = {}): BadgeDetails => ({
  __typename: 'BadgeDetails',
  ...{ badge, reached: false, reachedAt: null, progress: null, goal: null },
  ...over,
});

interface Stored {
  sessions: ReturnType<typeof session>[];
  identities: object[];
  achievements: { __typename?: string; badgeDetails: BadgeDetails[] };
}

/** What the server stores about the account. */
export const stored: Stored = { sessions: [], identities: [], achievements: { badgeDetails: [] } };
export const onSignedOut = jest.fn();
export const reauthenticate = jest.fn<() => Promise<void>>();
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
      badgeDetails: [
        aBadge('first_easy_win', { reached: true, reachedAt: '2026-03-20T12:00:00Z' }),
        aBadge('first_medium_win', { reached: true, reachedAt: '2026-03-21T12:00:00Z' }),
        aBadge('first_hard_draw'),
        aBadge('ten_hard_draws', { progress: 3, goal: 10 }),
      ],
    };
    server.handlers.MyAchievements = () => answerOfMe({ achievements: stored.achievements });
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
export function Page({ returned = '' }) {
  const [open, setOpen] = useState(true);
  const props = {
    fetchExport,
    postLink,
    returned,
    reauthenticate,
    onSignedOut,
    onFeedbackOn: () => undefined,
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
