import type { CustomFetch } from 'openid-client';
import { Unavailable } from '../../../base/errors.js';

const USER_AGENT = 'tic-tac-toe';
const MAX_BYTES = 256 * 1024;

/**
 * Fetches from a provider without following redirects, and with a limit on the size of the answer. An error with status
 * 200, as GitHub's token endpoint sends it, becomes a 400. The caller's `signal` limits the time.
 */
export function providerFetch(reach: (url: string) => string): CustomFetch {
  return async (url, { headers, ...options }) => {
    const sent = { ...options, headers: { ...headers, 'user-agent': USER_AGENT }, redirect: 'manual' as const };
    const response = await fetch(reach(url), sent).catch((error: unknown) => {
      throw new Unavailable('no answer', { cause: error });
    });
    if (response.status >= 500 || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw new Unavailable(`status ${response.status}`);
    }
    const body = await limitedBody(response);
    const status = response.ok && isError(body) ? 400 : response.status;
    return new Response(status === 204 ? null : body, { status, headers: response.headers });
  };
}

async function limitedBody(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) throw new Error('answer too long');
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    throw new Unavailable('broken answer', { cause: error });
  }
  return text + decoder.decode();
}

function isError(body: string): boolean {
  try {
    const answer: unknown = JSON.parse(body);
    return typeof answer === 'object' && answer !== null && 'error' in answer && !('access_token' in answer);
  } catch {
    return false;
  }
}
