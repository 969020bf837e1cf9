import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { discardBody } from './requestBody.ts';

export interface BodyStreamOptions {
  /** Paused, with nobody else reading. */
  readonly request: IncomingMessage;
  /** What was read of the body already. */
  readonly head: Buffer;
  /** Of the whole body, in bytes, as the client announced it. HTTP itself holds the client to it. */
  readonly length: number;
  readonly timeoutMs: number;
  readonly onTimeout: () => void;
}

/**
 * A long body on its way to an upstream, no faster than the upstream takes it. Whoever reads it may destroy it: the
 * client can then still read its answer, while what it goes on sending is thrown away.
 */
export class BodyStream extends Readable {
  readonly length: number;
  readonly #request: IncomingMessage;
  readonly #timer: NodeJS.Timeout;

  constructor({ request, head, length, timeoutMs, onTimeout }: BodyStreamOptions) {
    super();
    this.length = length;
    this.#request = request;
    this.#timer = setTimeout(onTimeout, timeoutMs);
    this.push(head);
    request.on('data', this.#take).on('end', this.#finish);
  }

  override _read(): void {
    this.#request.resume();
  }

  /** The reason reaches the client by way of the answer, so it is no error here. */
  override _destroy(_reason: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    this.#request.off('data', this.#take).off('end', this.#finish);
    discardBody(this.#request);
    done();
  }

  readonly #take = (chunk: Buffer): void => {
    if (!this.push(chunk)) this.#request.pause();
  };

  readonly #finish = (): void => {
    clearTimeout(this.#timer);
    this.push(null);
  };
}
