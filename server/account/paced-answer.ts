import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** How long the client may take to read one piece and the whole answer, in milliseconds. */
const PATIENCE = { piece: 10_000, whole: 300_000 };

/** The client stopped reading, or reads too slowly. */
export class ReaderLost extends Error {
  constructor(readonly reason: 'gone' | 'too_slow') {
    super(`The reader of a long answer is ${reason}.`);
    this.name = 'ReaderLost';
  }
}

/**
 * Writes pieces at the client's pace, so that only one is in memory. The caller ends the response. Nothing is written
 * before the first piece exists, so that an error until then gets a normal answer.
 * @throws {ReaderLost} when the client has left, or reads a piece or the whole too slowly
 */
export async function answerInPieces(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  patience = PATIENCE,
): Promise<void> {
  const lost = new AbortController();
  const leave = () => lost.abort(new ReaderLost('gone'));
  const tire = () => lost.abort(new ReaderLost('too_slow'));
  const whole = setTimeout(tire, patience.whole);
  response.once('close', leave);
  // A client that left before this line has caused the event already.
  if (response.destroyed) leave();
  try {
    for await (const piece of pieces) {
      lost.signal.throwIfAborted();
      if (!response.write(piece)) await drained(response, lost.signal, patience.piece, tire);
    }
  } finally {
    clearTimeout(whole);
    response.off('close', leave);
  }
}

async function drained(response: ServerResponse, signal: AbortSignal, limit: number, tire: () => void): Promise<void> {
  const late = setTimeout(tire, limit);
  try {
    await once(response, 'drain', { signal });
  } catch (problem) {
    throw signal.aborted ? signal.reason : problem;
  } finally {
    clearTimeout(late);
  }
}
