import type { Transform } from 'node:stream';
import { type ApiError, malformed } from '../../formats/apiError.ts';
import type { KeyMask, MaskedStream } from '../core/keyMask.ts';
import type { ByteSink } from '../http/byteSink.ts';
import { DecompressionMeter } from '../http/contentEncoding.ts';

/** Receives a compressed answer after it was searched. */
export interface CompressedSink extends ByteSink {
  /** Pauses the answer while bytes are being searched, or resumes it. */
  wait(isWaiting: boolean): void;
  /** The answer cannot be forwarded. Nothing follows. */
  refuse(error: ApiError): void;
}

const QUOTES_KEY = malformed(
  'The answer was cut off: it contains the service key, which cannot be masked in a compressed answer.',
);

const TOO_LONG = malformed('The answer was cut off: it is too long when decompressed.');

/** For the decompressed copy, which is only searched. */
const NOWHERE: ByteSink = { data: () => true };

/**
 * Passes a compressed answer on unchanged, so that the key cannot be masked in it: a copy of each piece is decompressed
 * and searched for the key first. A body that turns out not to be compressed is searched directly.
 */
export class CompressedAnswer implements ByteSink {
  readonly #decompressor: Transform;
  readonly #mask: KeyMask;
  readonly #sink: CompressedSink;
  /** Searches the decompressed copy. */
  readonly #search: MaskedStream;
  /** Pieces that are being decompressed. */
  readonly #unsearched: Buffer[] = [];
  /** Pieces whose copy ends with what could be the beginning of a key. */
  #held: Buffer[] = [];
  /** Set if the body is not compressed after all. */
  #raw: MaskedStream | undefined;
  #onPassed: (() => void) | undefined;
  readonly #meter = new DecompressionMeter();
  #over = false;

  constructor(decompressor: Transform, mask: KeyMask, sink: CompressedSink) {
    this.#decompressor = decompressor.on('readable', this.#read).on('error', this.#goOnRaw);
    this.#mask = mask;
    this.#search = mask.stream(NOWHERE);
    this.#sink = sink;
  }

  data(chunk: Buffer): boolean {
    if (this.#raw !== undefined) return this.#raw.data(chunk);
    this.#unsearched.push(chunk);
    this.#meter.add(chunk);
    this.#sink.wait(true);
    this.#decompressor.write(chunk, (error) => {
      if (!error) this.#searched();
    });
    return true;
  }

  /** Calls back when everything was passed on, unless the answer contains the key. */
  end(onPassed: () => void): void {
    this.#onPassed = onPassed;
    if (this.#raw !== undefined) this.#endRaw(this.#raw);
    else
      this.#decompressor.end((error?: Error | null) => {
        if (!error) this.#end();
      });
  }

  cancel(): void {
    this.#over = true;
    this.#decompressor.destroy();
  }

  readonly #read = (): void => {
    for (let copy: unknown = this.#decompressor.read(); copy !== null; copy = this.#decompressor.read()) {
      if (!(copy instanceof Buffer)) continue;
      if (!this.#meter.allows(copy)) {
        this.#stop(TOO_LONG);
        return;
      }
      this.#search.data(copy);
    }
  };

  /** Called when the first piece is completely decompressed. */
  #searched(): void {
    const chunk = this.#unsearched.shift();
    if (this.#over || chunk === undefined) return;
    this.#read();
    if (this.#over) return;
    if (this.#unsearched.length === 0) this.#sink.wait(false);
    this.#held.push(chunk);
    if (this.#search.hasFound) this.#stop(QUOTES_KEY);
    else if (!this.#search.isHolding) this.#release();
  }

  #end(): void {
    if (this.#over) return;
    this.#read();
    if (!this.#over) this.#endSearch();
    if (!this.#over) this.#onPassed?.();
  }

  /** From here on, no client can decompress the body either, so the key could only be in the bytes themselves. */
  readonly #goOnRaw = (): void => {
    if (this.#over || this.#raw !== undefined) return;
    this.#endSearch();
    if (this.#over) return;
    this.#raw = this.#mask.stream(this.#sink);
    this.#sink.wait(false);
    for (const chunk of this.#unsearched.splice(0)) this.#raw.data(chunk);
    if (this.#onPassed !== undefined) this.#endRaw(this.#raw);
  };

  #endRaw(raw: MaskedStream): void {
    raw.end();
    this.#onPassed?.();
  }

  /** At the end of the search, a possible beginning of the key is resolved. */
  #endSearch(): void {
    this.#search.end();
    if (this.#search.hasFound) this.#stop(QUOTES_KEY);
    else this.#release();
  }

  #release(): void {
    for (const chunk of this.#held.splice(0)) this.#sink.data(chunk);
  }

  #stop(reason: ApiError): void {
    this.cancel();
    this.#sink.refuse(reason);
  }
}
