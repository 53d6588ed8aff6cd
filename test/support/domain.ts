import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { WebSocket } from 'ws';

export type Domain = ReturnType<typeof domainAt>;

/** Asks a proxy on this machine as a browser elsewhere would, whose name service leads here. `ca` signs its certificate. */
export function domainAt(domain: string, port: number, ca: Buffer) {
  return {
    async ask(
      path: string,
      more: RequestOptions & { from?: string; body?: string } = {},
      send: typeof request = request,
    ) {
      const { from = '127.0.0.1', headers, body, ...others } = more;
      const to = { host: '127.0.0.1', port, path, servername: domain, ca, localAddress: from };
      // Another connection each time.
      const asked = send({ ...to, ...others, agent: false, headers: { host: domain, ...headers } }).end(body);
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      let text = '';
      for await (const data of answer) text += String(data);
      return { status: answer.statusCode, headers: answer.headers, text };
    },

    /** Opens a socket, and waits for the first message. */
    async watch() {
      const socket = new WebSocket(`wss://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
        agent: new Agent({ servername: domain, ca }),
        headers: { host: domain },
        origin: `https://${domain}`,
      });
      await once(socket, 'open');
      socket.send('{"type":"connection_init"}');
      const [message] = (await once(socket, 'message')) as [Buffer];
      return { socket, message: JSON.parse(String(message)) as { type: string } };
    },
  };
}
