import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { metricsAt } from '../../support/metrics.js';
import { freePort } from '../../support/postgres.js';
import { begin, comeBack, errorOf, GITHUB_TOKEN, githubAnswers, standInOptions } from '../../support/providerSignIn.js';
import { ProviderStandIn } from '../../support/providerStandIn.js';
import { type Server, startServer } from '../../support/server.js';

const provider = new ProviderStandIn();
let server: Server;
let metricsPort: number;
beforeAll(async () => {
  metricsPort = await freePort();
  const options = standInOptions(await provider.start());
  server = await startServer({ ...options, env: { ...options.env, METRICS_PORT: String(metricsPort) } });
});
afterAll(async () => {
  await server.remove();
  await provider.stop();
});

const failures = async () => (await metricsAt(metricsPort)).sum('ttt_provider_failures_total', { provider: 'github' });
const signIn = async (parameters: Record<string, string> = {}) =>
  errorOf(await comeBack(await begin(server, 'github'), 'github', parameters));

test('what a browser brings counts as no failure of the provider', async () => {
  for (const error of ['server_error', 'temporarily_unavailable']) {
    const { visitor, asked } = await begin(server, 'github');
    const query = new URLSearchParams({ error, state: asked.searchParams.get('state')! });
    await visitor.fetch(`/auth/github/callback?${query.toString()}`);
  }
  for (const error of ['bad_verification_code', 'invalid_grant']) {
    provider.json(GITHUB_TOKEN, { error });
    expect(await signIn()).toBe('sign_in_failed');
  }
  expect(await failures()).toBe(0);
});

test('an endpoint that fails, and a client secret that is refused, count', async () => {
  const before = await failures();
  provider.json(GITHUB_TOKEN, {}, 500);
  expect(await signIn()).toBe('provider_unavailable');
  provider.json(GITHUB_TOKEN, { error: 'incorrect_client_credentials' });
  expect(await signIn()).toBe('sign_in_failed');
  githubAnswers(provider);
  provider.json('/api.github.com/user', {}, 503);
  expect(await signIn()).toBe('provider_unavailable');
  expect((await failures()) - before).toBe(3);
});
