import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** A longer one is passed on, so that the connection fails. In bytes. */
const MAX_HEAD = 8 * 1024;

const NAMES = ['HTTP/1.1 100', 'HTTP/1.0 100'].map((name) => Buffer.from(name));
const END_OF_HEAD = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);
/** Where the first digit of the status is, and this digit in interim responses. */
const CLASS_AT = 'HTTP/1.1 '.length;
const INTERIM = 0x31;

/**
 * Wraps a connector so that interim responses with the status 100 are skipped. Some servers and proxies send them
 * although no request asks for them, and undici closes the connection then. All other interim responses pass.
 */
export function skippingContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (...result) => {
      if (result[0] === null) skipContinue(result[1]);
      callback(...result);
    });
  };
}

/**
 * Only the beginning of an answer is looked at: what is read first after the head of a request was written. After that,
 * the socket reads as it did before.
 */
function skipContinue(socket: Socket): void {
  const [read, write] = [socket.read.bind(socket), socket.write.bind(socket)];
  let held: Buffer = NOTHING;
  const readBeginning: typeof read = (size) => {
    for (let chunk: Buffer | null = read(size); chunk !== null; chunk = read(size)) {
      const isPlain = held.length === 0 && chunk.length > CLASS_AT && chunk[CLASS_AT] !== INTERIM;
      const rest = isPlain ? chunk : withoutContinue(Buffer.concat([held, chunk]));
      held = isPlain || !mayBeContinue(rest) ? NOTHING : rest;
      if (held !== NOTHING) continue;
      socket.read = read;
      return rest;
    }
    return null;
  };
  socket.write = ((...written: Parameters<typeof write>) => {
    // Heads are written as text. Bodies may follow while the answer already arrives.
    const isHead = typeof written[0] === 'string' && /^[A-Z]+ \S+ HTTP\/1\.1\r\n/.test(written[0]);
    if (isHead) socket.read = readBeginning;
    return write(...written);
  }) as typeof socket.write;
}

function withoutContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (NAMES.some((name) => rest.subarray(0, name.length).equals(name))) {
    const end = rest.indexOf(END_OF_HEAD);
    if (end === -1) return rest;
    rest = rest.subarray(end + END_OF_HEAD.length);
  }
  return rest;
}

/** Whether the bytes are the beginning of an incomplete interim response. */
function mayBeContinue(bytes: Buffer): boolean {
  if (bytes.length > MAX_HEAD) return false;
  return NAMES.some((name) => {
    const length = Math.min(name.length, bytes.length);
    return bytes.subarray(0, length).equals(name.subarray(0, length));
  });
}
