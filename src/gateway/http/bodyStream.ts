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
  /** Called with the whole body when it has been passed on. */
  readonly onPassed?: (body: Buffer) => void;
}

/**
 * A long body on its way to an upstream, no faster than the upstream takes it. Whoever reads it may destroy it: the
 * client can then still read its answer, while what it goes on sending is thrown away.
 */
export class BodyStream extends Readable {
  readonly length: number;
  readonly #request: IncomingMessage;
  readonly #timer: NodeJS.Timeout;
  readonly #onPassed: BodyStreamOptions['onPassed'];
  /** Pieces of the body; `undefined` when nobody needs them any more. */
  #passed: Buffer[] | undefined = [];
  #isReleased = false;
  #isWhole = false;

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
    if (!this.#isWhole || this.#isReleased || this.#passed === undefined) return undefined;
    if (this.#passed.length > 1) this.#passed = [Buffer.concat(this.#passed)];
    return this.#passed[0];
  }

  release(): void {
    this.#isReleased = true;
    if (this.#onPassed === undefined || this.#isWhole) this.#passed = undefined;
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

  #keep(chunk: Buffer): void {
    this.#passed?.push(chunk);
  }

  readonly #take = (chunk: Buffer): void => {
    this.#keep(chunk);
    if (!this.push(chunk)) this.#request.pause();
  };

  readonly #finish = (): void => {
    clearTimeout(this.#timer);
    this.#isWhole = true;
    this.push(null);
    if (this.#onPassed !== undefined && this.#passed !== undefined) {
      const whole = Buffer.concat(this.#passed);
      this.#passed = this.#isReleased ? undefined : [whole];
      this.#onPassed(whole);
    }
  };
}
