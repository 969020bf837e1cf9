import type { Transform } from 'node:stream';
import { createDecompressor, DecompressionMeter } from '../http/contentEncoding.ts';

/** Receives the bytes of a stream as they were before their compression. */
export interface DecompressedSink {
  data(bytes: Buffer): void;
  end(): void;
  /** The bytes cannot be read. Nothing follows. */
  fail(message: string): void;
  /** Makes the upstream wait for the decompressor, as for a slow client, or continue. */
  wait(isWaiting: boolean): void;
}

/** A compressed stream of an upstream, which is decompressed to be translated. */
export class DecompressedStream {
  readonly #decompressor: Transform;
  readonly #meter = new DecompressionMeter();
  readonly #sink: DecompressedSink;
  #isWaiting = false;

  constructor(decompressor: Transform, sink: DecompressedSink) {
    this.#sink = sink;
    this.#decompressor = decompressor
      .on('data', this.#pass)
      .on('end', () => sink.end())
      .on('error', () => sink.fail("The upstream's answer could not be decompressed."));
  }

  /** Returns `undefined` if the encoding is not supported. */
  static of(encoding: string, sink: DecompressedSink): DecompressedStream | undefined {
    const decompressor = createDecompressor(encoding);
    return decompressor && new DecompressedStream(decompressor, sink);
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  write(compressed: Buffer): void {
    this.#meter.add(compressed);
    if (this.#decompressor.write(compressed)) return;
    this.#wait(true);
    this.#decompressor.once('drain', () => this.#wait(false));
  }

  end(): void {
    this.#decompressor.end();
  }

  destroy(): void {
    this.#decompressor.destroy();
  }

  readonly #pass = (bytes: Buffer): void => {
    if (this.#meter.allows(bytes)) this.#sink.data(bytes);
    else this.#sink.fail("The upstream's answer is too long when decompressed.");
  };

  #wait(isWaiting: boolean): void {
    this.#isWaiting = isWaiting;
    this.#sink.wait(isWaiting);
  }
}
