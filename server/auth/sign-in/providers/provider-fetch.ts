import type { CustomFetch } from 'openid-client';
import { Observed } from '../../../base/observed.js';

const USER_AGENT = 'tic-tac-toe';
const MAX_BYTES = 256 * 1024;

/** A request to a provider. A subscriber may add headers when it begins. */
export interface ProviderRequest {
  readonly host: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  /** Set at the end: the status, or that there was no answer. */
  outcome?: number | 'no answer';
}

export const providerRequestsBegun = new Observed<ProviderRequest>('provider-request.begun');
/** The same object as at the beginning. */
export const providerRequestsEnded = new Observed<ProviderRequest>('provider-request.ended');

/** The provider does not answer, or its answer is malformed. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/**
 * Fetches from a provider without following redirects, and with a limit on the size of the answer. An error with status
 * 200, as GitHub's token endpoint sends it, becomes a 400. The caller's `signal` limits the time.
 */
export function providerFetch(reach: (url: string) => string): CustomFetch {
  return async (url, { headers, ...options }) => {
    const address = reach(url);
    const sent: ProviderRequest = {
      host: new URL(address).host,
      method: options.method,
      headers: { ...headers, 'user-agent': USER_AGENT },
    };
    providerRequestsBegun.publish(sent);
    const response = await fetch(address, { ...options, headers: sent.headers, redirect: 'manual' }).catch(
      (error: unknown) => {
        providerRequestsEnded.publish(Object.assign(sent, { outcome: 'no answer' as const }));
        throw new ProviderUnavailable('no answer', { cause: error });
      },
    );
    providerRequestsEnded.publish(Object.assign(sent, { outcome: response.status }));
    if (response.status >= 500 || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw new ProviderUnavailable(`status ${response.status}`);
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
    throw new ProviderUnavailable('broken answer', { cause: error });
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
