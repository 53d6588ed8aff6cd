import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

export type Handler = (request: IncomingMessage, response: ServerResponse, body: URLSearchParams) => unknown;

/** Plays Google and GitHub for a server started with `redirectProviders.js`. The test chooses its answers. */
export class ProviderStandIn {
  /** By `/<host>/<path>`. */
  readonly handlers = new Map<string, Handler>();
  readonly requests: { url: string; headers: IncomingMessage['headers']; body: URLSearchParams }[] = [];
  private readonly server = createServer((request, response) => void this.answer(request, response));
  private readonly published: JWK[] = [];
  private keys!: Awaited<ReturnType<typeof generateKeyPair>>;

  async start(): Promise<string> {
    this.keys = await generateKeyPair('RS256');
    await this.publish('good', 'RS256', this.keys.publicKey);
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Adds a key to those with which Google signs ID tokens. */
  async publish(kid: string, alg: string, key: CryptoKey): Promise<void> {
    this.published.push({ ...(await exportJWK(key)), kid, alg, use: 'sig' });
    this.json('/www.googleapis.com/oauth2/v3/certs', { keys: this.published });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  json(path: string, body: unknown, status = 200): void {
    this.handlers.set(path, (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
    });
  }

  idToken(claims: JWTPayload, { key = this.keys.privateKey, kid = 'good', alg = 'RS256' } = {}): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = new URLSearchParams(text);
    this.requests.push({ url: request.url!, headers: request.headers, body });
    const handler = this.handlers.get(request.url!);
    if (handler) await handler(request, response, body);
    else response.writeHead(404).end();
  }
}
