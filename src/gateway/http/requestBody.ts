import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
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

export interface BodyStreamOptions {
  /** Paused, with no other reader. */
  readonly request: IncomingMessage;
  /** The part of the body that was already read. */
  readonly head: Buffer;
  /** Length of the whole body in bytes, as announced by the client. HTTP enforces it. */
  readonly length: number;
  readonly timeoutMs: number;
  readonly onTimeout: () => void;
  /** Called with the whole body when it has been forwarded. */
  readonly onPassed: (body: Buffer) => void;
}

/**
 * Forwards a long body to an upstream, no faster than the upstream accepts it. The reader may destroy the stream. The
 * client can then still read its answer, and the rest of its body is discarded.
 */
export class BodyStream extends Readable {
  readonly length: number;
  readonly #request: IncomingMessage;
  readonly #timer: NodeJS.Timeout;
  readonly #onPassed: BodyStreamOptions['onPassed'];
  /** The body so far. `undefined` when it is not needed anymore. */
  #passed: ByteList | undefined = new ByteList();
  #whole: Buffer | undefined;
  #isReleased = false;

  constructor({ request, head, length, timeoutMs, onTimeout, onPassed }: BodyStreamOptions) {
    super();
    this.length = length;
    this.#request = request;
    this.#timer = setTimeout(onTimeout, timeoutMs);
    this.#onPassed = onPassed;
    this.#keep(head);
    this.push(head);
    request.on('data', this.#take).on('end', this.#finish);
  }

  get whole(): Buffer | undefined {
    return this.#whole;
  }

  release(): void {
    this.#isReleased = true;
    this.#whole = undefined;
  }

  override _read(): void {
    this.#request.resume();
  }

  /** The reason is reported to the client in the answer, so it is not passed on as a stream error. */
  override _destroy(_reason: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    this.#request.off('data', this.#take).off('end', this.#finish);
    discardBody(this.#request);
    done();
  }

  #keep(chunk: Buffer): void {
    this.#passed?.add(chunk);
  }

  readonly #take = (chunk: Buffer): void => {
    this.#keep(chunk);
    if (!this.push(chunk)) this.#request.pause();
  };

  readonly #finish = (): void => {
    clearTimeout(this.#timer);
    this.push(null);
    const whole = this.#passed?.concat();
    this.#passed = undefined;
    if (whole === undefined) return;
    if (!this.#isReleased) this.#whole = whole;
    this.#onPassed(whole);
  };
}
