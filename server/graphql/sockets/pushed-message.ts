import type { FormattedExecutionResult } from 'graphql';
import { MessageType } from 'graphql-ws';

/** The first byte of a whole text frame (RFC 6455, section 5.2). */
const FINAL_TEXT = 0x81;
/** The lengths that tell that the real length follows in two or eight bytes. */
const IN_TWO_BYTES = 126;
const IN_EIGHT_BYTES = 127;

/** A result that is serialised once for all sockets. Sockets that use the same subscription id also share the frame. */
export class PushedMessage {
  private readonly payload: string;
  private latest: { readonly id: string; readonly frame: Buffer } | undefined;

  constructor(result: FormattedExecutionResult) {
    this.payload = JSON.stringify(result);
  }

  /** The message as a frame of the WebSocket protocol. */
  frameFor(id: string): Buffer {
    if (this.latest?.id !== id) {
      const text = `{"id":${JSON.stringify(id)},"type":"${MessageType.Next}","payload":${this.payload}}`;
      this.latest = { id, frame: frameOf(Buffer.from(text)) };
    }
    return this.latest.frame;
  }
}

function frameOf(text: Buffer): Buffer {
  let header: Buffer;
  if (text.length < IN_TWO_BYTES) {
    header = Buffer.from([FINAL_TEXT, text.length]);
  } else if (text.length < 0x1_0000) {
    header = Buffer.from([FINAL_TEXT, IN_TWO_BYTES, 0, 0]);
    header.writeUInt16BE(text.length, 2);
  } else {
    header = Buffer.from([FINAL_TEXT, IN_EIGHT_BYTES, 0, 0, 0, 0, 0, 0, 0, 0]);
    header.writeBigUInt64BE(BigInt(text.length), 2);
  }
  return Buffer.concat([header, text]);
}
