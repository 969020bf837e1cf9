import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ByteList } from './byteList.ts';
import { discardBody } from './requestBody.ts';

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
