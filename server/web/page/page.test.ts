import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { Env } from '../../settings/env.js';
import { ClientAddress } from '../requests/client-address.js';
import { toPublicOrigin } from './page.js';

/** Where a browser is sent that opens the page by this host; undefined when it stays. */
function redirection(publicOrigin: string, host: string): string | undefined {
  const env = Object.assign(new Env(), { publicOrigin, trustProxy: false });
  const request = { method: 'GET', url: '/', headers: { host, accept: 'text/html' } } as IncomingMessage;
  let location: string | undefined;
  const response = {
    setHeader: () => undefined,
    writeHead: (_status: number, headers: { Location: string }) => {
      location = headers.Location;
      return { end: () => undefined };
    },
  } as unknown as ServerResponse;
  toPublicOrigin(env, new ClientAddress(env))(request, response, () => undefined);
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
