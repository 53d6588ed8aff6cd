import { expect, test } from '@jest/globals';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Env } from '../../settings/env.js';
import { ClientAddress } from '../requests/client-address.js';
import { toPublicOrigin } from './public-origin.js';

/** Where a browser is sent that opens the page by this host; undefined when it stays. */
function redirection(publicOrigin: string, host: string): string | undefined {
  const env = Object.assign(new Env(), { publicOrigin, trustProxy: false });
  const headers = { host, accept: 'text/html' };
  const request = { url: '/', headers, raw: { headers } } as FastifyRequest;
  let location: string | undefined;
  const reply = { header: () => reply, redirect: (to: string) => (location = to) } as unknown as FastifyReply;
  toPublicOrigin(env, new ClientAddress(env)).call({} as FastifyInstance, request, reply, () => undefined);
  return location;
}

test.each([
  ['https://play.example.org', 'play.example.org:443'],
  ['https://play.example.org', 'PLAY.example.org'],
  ['http://play.example.org', 'play.example.org:80'],
  ['http://[2001:db8::1]', '[2001:db8::1]:80'],
])('the page of %s stays at the host %s', (publicOrigin, host) => {
  expect(redirection(publicOrigin, host)).toBeUndefined();
});

test.each([
  ['https://play.example.org', 'play.example.org:80'],
  ['http://play.example.org', 'play.example.org:443'],
  ['https://play.example.org:8443', 'play.example.org:443'],
  ['https://play.example.org', 'www.play.example.org:443'],
])('the page of %s is opened there instead of at the host %s', (publicOrigin, host) => {
  expect(redirection(publicOrigin, host)).toBe(`${publicOrigin}/`);
});
