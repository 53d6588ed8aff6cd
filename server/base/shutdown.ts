import { Injectable } from '@nestjs/common';

/** Tells the parts of this server that it is about to stop. */
@Injectable()
export class Shutdown {
  private readonly closers: (() => void)[] = [];
  /** Whether balancers must send no more requests. The server still serves all that arrive. */
  isDraining = false;

  /** Registers work for the moment in which the server stops accepting connections. */
  onClose(close: () => void): void {
    this.closers.push(close);
  }

  close(): void {
    for (const close of this.closers) close();
  }
}
