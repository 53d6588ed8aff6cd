/** Replaces the browser's WebSocket: tests open it and read the sent messages. */
export class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  static opened: FakeSocket[] = [];

  readonly sent: { type: string; id?: string; payload?: { query: string } }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  readyState: number = FakeSocket.CONNECTING;

  constructor(
    readonly address: string,
    readonly protocol: string,
  ) {
    FakeSocket.opened.push(this);
  }

  /** Replaces the browser's WebSocket. */
  static install(): void {
    FakeSocket.opened = [];
    Object.assign(window, { WebSocket: FakeSocket });
  }

  /** The newest socket. */
  static get latest(): FakeSocket {
    const socket = FakeSocket.opened.at(-1);
    if (!socket) throw new Error('No socket was opened');
    return socket;
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  send(message: string): void {
    this.sent.push(JSON.parse(message) as FakeSocket['sent'][number]);
  }

  /** Simulates a message from the server. One about the subscription has its id. */
  receive(message: { type: string; payload?: unknown }): void {
    const id = this.sent.find(({ type }) => type === 'subscribe')?.id;
    this.onmessage?.({ data: JSON.stringify({ id, ...message }) });
  }

  close(code = 1006, reason = ''): void {
    if (this.readyState === FakeSocket.CLOSED) return;
    this.readyState = FakeSocket.CLOSED;
    this.onclose?.({ code, reason });
  }
}
