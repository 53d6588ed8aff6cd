import { Injectable } from '@nestjs/common';

/** Tells the parts of this server that it is about to stop. */
@Injectable()
export class Shutdown {
  private readonly closers: (() => void)[] = [];
  private draining = false;

  /** Whether balancers must send no more requests. The server still serves all that arrive. */
  get isDraining(): boolean {
    return this.draining;
  }

  drain(): void {
    this.draining = true;
  }

  /** Registers work for the moment in which the server stops accepting connections. */
  onClose(close: () => void): void {
    this.closers.push(close);
  }

  close(): void {
    this.drain();
    for (const close of this.closers) close();
  }
}
