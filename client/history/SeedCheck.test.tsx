import { createHash, webcrypto } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import '../testing/browser.js';
import { keepCommitment } from '../seedCommitment.js';
import { FakeServer, forgetEverything, SignedIn } from '../testing/server.js';
import { SeedCheck } from './SeedCheck.js';

const DAY = '2026-11-22';
const SEEDS = ['one', 'two', 'three', 'four', 'five'];
const HASH = createHash('sha256').update('one,two,three,four,five').digest('hex');

let server: FakeServer;
beforeEach(() => {
  forgetEverything();
  localStorage.clear();
  server = new FakeServer().install();
  Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true });
  server.handlers.ChallengeSeeds = () => ({ data: { challenge: { __typename: 'Challenge', day: DAY, seeds: SEEDS } } });
});

const show = (seed = 'two') => render(<SeedCheck day={DAY} seed={seed} />, { wrapper: SignedIn });

it('says that the seeds are those that were fixed', async () => {
  keepCommitment(DAY, HASH);
  show();
  expect(await screen.findByText("The bot's seeds are those that were fixed when the day began.")).toBeVisible();
});

it('warns of other seeds', async () => {
  keepCommitment(DAY, HASH.replace(/^./, 'x'));
  show();
  expect(await screen.findByRole('alert')).toHaveTextContent("Warning: the bot's seeds are not those that were fixed");
});

it('asks nothing when the browser has kept nothing', () => {
  show();
  expect(server.called('ChallengeSeeds')).toBe(0);
  expect(document.querySelector('[data-seeds]')).toBeNull();
});

it('shows nothing for a game that is not of the challenge', async () => {
  keepCommitment(DAY, HASH);
  show('another seed');
  await waitFor(() => expect(server.called('ChallengeSeeds')).toBe(1));
  expect(document.querySelector('[data-seeds]')).toBeNull();
});
