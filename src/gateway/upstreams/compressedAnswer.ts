import type { Transform } from 'node:stream';
import type { ApiError } from '../../formats/apiError.ts';
import type { KeyMask, MaskedStream } from '../core/keyMask.ts';
import type { MaskedEvents } from '../core/maskedEvents.ts';
import { DecompressionMeter } from '../http/decompressionMeter.ts';

/** Where a compressed answer goes on. */
export interface CompressedSink {
  pass(bytes: Buffer): void;
  /** More comes than can be searched in time; or no more. */
  wait(isWaiting: boolean): void;
  /** It cannot be passed on. Nothing follows. */
  refuse(error: ApiError): void;
}

/** How the key is found. */
export interface KeySearch {
  readonly mask: KeyMask;
  /** For what the answer is when it is decompressed. */
  readonly search: MaskedStream | MaskedEvents;
}

const QUOTES_KEY: ApiError = {
  kind: 'malformed',
  status: 502,
  message: 'The answer was cut: it quotes the service key, which cannot be masked in a compressed answer.',
};

const TOO_LONG: ApiError = {
  kind: 'malformed',
  status: 502,
  message: 'The answer was cut: it becomes too long when it is decompressed.',
};

/**
 * A compressed answer on its way through. What goes on are the bytes that came, so nothing can be masked in them: a copy
 * of each piece is decompressed and searched for the key first. What turns out not to be compressed is searched as it is.
 */
export class CompressedAnswer {
  readonly #decompressor: Transform;
  readonly #mask: KeyMask;
  readonly #sink: CompressedSink;
  /** Looks through the decompressed copy; nothing of what it gives is used. */
  readonly #search: MaskedStream | MaskedEvents;
  /** Pieces that are being decompressed. */
  readonly #unsearched: Buffer[] = [];
  /** Pieces whose copy ends with what could be the beginning of a key. */
  #held: Buffer[] = [];
  /** Where it is not compressed after all. */
  #raw: MaskedStream | undefined;
  #onPassed: (() => void) | undefined;
  readonly #meter = new DecompressionMeter();
  #over = false;

  constructor(decompressor: Transform, { mask, search }: KeySearch, sink: CompressedSink) {
    this.#decompressor = decompressor.on('readable', this.#read).on('error', this.#goOnRaw);
    this.#mask = mask;
    this.#search = search;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    if (this.#raw !== undefined) {
      this.#sink.pass(this.#raw.push(chunk));
      return;
    }
    this.#unsearched.push(chunk);
    this.#meter.add(chunk);
    this.#sink.wait(true);
    this.#decompressor.write(chunk, (error) => {
      if (!error) this.#searched();
    });
  }

  /** Calls back when all has gone on, unless it quotes the key. */
  end(onPassed: () => void): void {
    this.#onPassed = onPassed;
    if (this.#raw !== undefined) this.#endRaw(this.#raw);
    else
      this.#decompressor.end((error?: Error | null) => {
        if (!error) this.#end();
      });
  }

  /** Nothing goes on any more. */
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
      this.#search.push(copy);
    }
  };

  /** The copy of the first piece is complete. */
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

  /** From here on nothing can be decompressed, by nobody: a key could only stand in the bytes themselves. */
  readonly #goOnRaw = (): void => {
    if (this.#over || this.#raw !== undefined) return;
    this.#endSearch();
    if (this.#over) return;
    this.#raw = this.#mask.stream();
    this.#sink.wait(false);
    for (const chunk of this.#unsearched.splice(0)) this.#sink.pass(this.#raw.push(chunk));
    if (this.#onPassed !== undefined) this.#endRaw(this.#raw);
  };

  #endRaw(raw: MaskedStream): void {
    const rest = raw.end();
    if (rest !== undefined) this.#sink.pass(rest);
    this.#onPassed?.();
  }

  /** What could be the beginning of a key is one, or is none. */
  #endSearch(): void {
    this.#search.end();
    if (this.#search.hasFound) this.#stop(QUOTES_KEY);
    else this.#release();
  }

  #release(): void {
    for (const chunk of this.#held.splice(0)) this.#sink.pass(chunk);
  }

  #stop(reason: ApiError): void {
    this.cancel();
    this.#sink.refuse(reason);
  }
}
