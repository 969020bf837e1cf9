import { Transform, type TransformCallback } from 'node:stream';
import type { SizedBody } from '../../core/upstream.ts';
import { ObjectScanner } from '../../http/objectScanner.ts';
import { LAST_MEMBER, OPTIONS, WANTED } from './usageOption.ts';

const SPACES = Buffer.alloc(LAST_MEMBER.length, ' ');

/**
 * Passes a body on while it arrives, and inserts the option before its closing brace if it asks for a stream and has no
 * such options. Its length must be announced before this is known, so spaces are inserted if the option is not.
 */
export class LongBodyAsking extends Transform implements SizedBody {
  readonly length: number;
  readonly #source: SizedBody;
  readonly #scanner = new ObjectScanner(WANTED);
  #passed = 0;
  #hasAsked = false;

  constructor(source: SizedBody) {
    super();
    this.#source = source;
    this.length = source.length + LAST_MEMBER.length;
    source.on('error', (error) => this.destroy(error));
    source.pipe(this);
  }

  /** Whether the option was added. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#scanner.closedAt !== undefined) {
      done(null, chunk);
      return;
    }
    this.#scanner.push(chunk);
    const { closedAt } = this.#scanner;
    if (closedAt === undefined) {
      this.#passed += chunk.length;
      done(null, chunk);
      return;
    }
    const at = closedAt - this.#passed;
    done(null, Buffer.concat([chunk.subarray(0, at), this.#addition(), chunk.subarray(at)]));
  }

  /** For a body without a closing brace, which is not JSON. The announced length must still be correct. */
  override _flush(done: TransformCallback): void {
    done(null, this.#scanner.closedAt === undefined ? SPACES : null);
  }

  override _destroy(reason: Error | null, done: (error?: Error | null) => void): void {
    this.#source.unpipe(this);
    this.#source.destroy();
    done(reason);
  }

  #addition(): Buffer {
    const { members, values } = this.#scanner;
    this.#hasAsked = values.get('stream') === 'true' && !members.some(({ name }) => name === OPTIONS);
    return this.#hasAsked ? LAST_MEMBER : SPACES;
  }
}
