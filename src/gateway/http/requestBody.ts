import type { IncomingMessage } from 'node:http';

export interface BodyLimits {
  readonly maxBytes: number;
  /** From the end of the headers to the end of the body. */
  readonly timeoutMs: number;
}

/** `left`: the client closed the connection before the body was complete. */
export type BodyProblem = 'tooLarge' | 'timeout' | 'left';

/**
 * The whole body, or why there is none. A body that announces too much is refused before a byte is read.
 * @param enough so many bytes will do: the rest stays unread and the request paused.
 */
export function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  enough = Number.POSITIVE_INFINITY,
): Promise<Buffer | BodyProblem> {
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) return Promise.resolve('tooLarge');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: Buffer | BodyProblem) => {
      clearTimeout(timer);
      request.off('data', take).off('end', finish).off('close', leave).off('error', leave);
      resolve(result);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.maxBytes) settle('tooLarge');
      else chunks.push(chunk);
      if (size < enough) return;
      request.pause();
      finish();
    };
    const finish = () =>
      settle(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    const leave = () => settle('left');
    const timer = setTimeout(() => settle('timeout'), limits.timeoutMs);
    request.on('data', take).on('end', finish).on('close', leave).on('error', leave);
  });
}

/** The whole body of a request that {@link readBody} has paused behind its `head`. */
export async function readRest(
  request: IncomingMessage,
  limits: BodyLimits,
  head: Buffer,
): Promise<Buffer | BodyProblem> {
  const rest = readBody(request, limits);
  request.resume();
  const read = await rest;
  return typeof read === 'string' ? read : Buffer.concat([head, read]);
}

/** Time for a refused client to finish sending, so that it reads the answer instead of a reset connection. */
const DISCARD_MS = 5_000;

/** Reads on without keeping anything, until the request is complete or its time is up; then the connection closes. */
export function discardBody(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), DISCARD_MS);
  request.once('close', () => clearTimeout(timer)).resume();
}
