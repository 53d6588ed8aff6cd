import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPE_A = 1;
const NO_ERROR = 0x8180;
const NO_SUCH_NAME = 0x8183;

/** A name server for one name. Its addresses may change at any time; without any, the name does not exist. */
export async function startNameServer(name: string) {
  let addresses: readonly string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query, name, addresses), port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    leadsTo: (...to: string[]) => void (addresses = to),
    stop: () => new Promise<void>((done) => socket.close(() => done())),
  };
}

/** RFC 1035: a header of 12 bytes, then the question, whose name is labels with their lengths and a zero. */
function answerTo(query: Buffer, known: string, addresses: readonly string[]): Buffer {
  const end = query.indexOf(0, 12) + 1;
  const asked: string[] = [];
  for (let at = 12; at < end - 1; at += 1 + query[at]!) {
    asked.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
  }
  const exists = asked.join('.') === known && addresses.length > 0;
  const answers = exists && query.readUInt16BE(end) === TYPE_A ? addresses : [];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(exists ? NO_ERROR : NO_SUCH_NAME, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  // The name of the question, type A, class IN, no second to keep it, four bytes.
  const records = answers.map((ip) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...ip.split('.').map(Number)]),
  );
  return Buffer.concat([header, query.subarray(12, end + 4), ...records]);
}
