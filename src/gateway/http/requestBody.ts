import type { IncomingMessage } from 'node:http';
import { ByteList } from './byteList.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  /** Measured from the end of the headers to the end of the body. */
  readonly timeoutMs: number;
}

/** `left`: the client disconnected before the body was complete. */
export type BodyProblem = 'tooLarge' | 'timeout' | 'left' | 'noRoom';

const NOTHING = Buffer.alloc(0);

/** @returns false if there is no room for so many bytes. */
export type RoomForBody = (bytes: number) => boolean;

/**
 * Reads the whole body, or returns the reason why that is not possible. If the announced length is too large, the body
 * is refused before a byte is read.
 * @param hasRoom asked for the announced length, or for what has arrived.
 * @param enough number of bytes after which to stop. The rest stays unread, and the request is paused.
 */
export function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  hasRoom: RoomForBody = () => true,
  enough = Number.POSITIVE_INFINITY,
): Promise<Buffer | BodyProblem> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limits.maxBytes) return Promise.resolve('tooLarge');
  if (!hasRoom(announced)) return Promise.resolve('noRoom');
  return new Promise((resolve) => {
    let body: Buffer | ByteList = NOTHING;
    let size = 0;
    const settle = (result: Buffer | BodyProblem) => {
      clearTimeout(timer);
      request.off('data', take).off('end', finish).off('close', leave).off('error', leave);
      resolve(result);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.maxBytes) settle('tooLarge');
      else if (size > announced && !hasRoom(size)) settle('noRoom');
      // Most bodies arrive in one piece.
      else if (size === chunk.length) body = chunk;
      else body = added(body, chunk);
      if (size < enough) return;
      request.pause();
      finish();
    };
    const finish = () => settle(body instanceof ByteList ? body.concat() : body);
    const leave = () => settle('left');
    const timer = setTimeout(() => settle('timeout'), limits.timeoutMs);
    request.on('data', take).on('end', finish).on('close', leave).on('error', leave);
  });
}

function added(body: Buffer | ByteList, chunk: Buffer): ByteList {
  const list = body instanceof ByteList ? body : new ByteList();
  if (!(body instanceof ByteList)) list.add(body);
  list.add(chunk);
  return list;
}

/** Reads the whole body of a request that {@link readBody} has paused after its `head`. */
export async function readRest(
  request: IncomingMessage,
  limits: BodyLimits,
  hasRoom: RoomForBody,
  head: Buffer,
): Promise<Buffer | BodyProblem> {
  const rest = readBody(request, limits, hasRoom);
  request.resume();
  const read = await rest;
  return typeof read === 'string' ? read : Buffer.concat([head, read]);
}

/** Time for a refused client to finish sending, so that it receives the answer instead of a connection reset. */
const DISCARD_MS = 5_000;

/** Reads and discards the rest of a request until it is complete or its time is over. Then the connection is closed. */
export function discardBody(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), DISCARD_MS);
  request.once('close', () => clearTimeout(timer)).resume();
}
