import type { OutgoingHttpHeaders } from 'node:http';
import { type ApiError, malformed } from '../../formats/apiError.ts';
import type { AnswerOpener, OpenedCounts } from '../../secrets/answerOpener.ts';
import { openerFor } from '../../secrets/openedAnswer.ts';
import type { StandInTable } from '../../secrets/standInTable.ts';
import type { RequestMemory } from '../core/heldMemory.ts';
import { PassingSink } from '../core/passingSink.ts';
import type { AnswerSink } from '../core/upstream.ts';
import { BoundedBytes, MAX_WHOLE_BYTES } from '../http/byteList.ts';
import { decompress, isPlain } from '../http/contentEncoding.ts';
import { encodingOf } from '../http/headers.ts';

export interface OpeningOptions {
  readonly table: StandInTable;
  readonly isStructured: boolean;
  readonly memory: RequestMemory | undefined;
  /** Called before the end with what was restored. */
  readonly onOpened: (counts: OpenedCounts) => void;
}

const TOO_LONG = malformed(
  'The answer is too long, or could not be decompressed, so its secrets could not be restored.',
);

/**
 * Restores the secrets in an answer on its way to the client. Errors stay as they are, because a secret must not get
 * into a log with them.
 */
export class OpeningSink extends PassingSink {
  readonly #options: OpeningOptions;
  #opener: AnswerOpener | undefined;
  /** An answer that is compressed although the request does not accept that. */
  #compressed: BoundedBytes | undefined;
  #encoding = '';
  #isHeld = false;
  #isOver = false;

  constructor(sink: AnswerSink, options: OpeningOptions) {
    super(sink);
    this.#options = options;
  }

  override start(status: number, headers: OutgoingHttpHeaders): void {
    const { table, isStructured } = this.#options;
    const contentType = String(headers['content-type'] ?? '');
    this.#opener = status < 400 ? openerFor(table, { contentType, isStructured }) : undefined;
    if (this.#opener === undefined) {
      super.start(status, headers);
      return;
    }
    const { 'content-length': _, 'content-encoding': __, ...others } = headers;
    this.#encoding = headers['content-encoding'] === undefined ? '' : encodingOf(headers);
    if (!isPlain(this.#encoding)) this.#compressed = new BoundedBytes();
    this.#isHeld = this.#compressed !== undefined || !/event-stream/i.test(contentType);
    super.start(status, others);
  }

  override data(chunk: Buffer): boolean {
    if (this.#opener === undefined) return super.data(chunk);
    if (this.#isOver) return true;
    // The client is not told again if there is no room.
    if (this.#isHeld && this.#options.memory?.answer(chunk.length) === false) this.#isOver = true;
    else if (this.#compressed === undefined) return this.#pass(this.#opener.push(chunk));
    else if (!this.#compressed.add(chunk)) this.#break();
    return true;
  }

  override end(): void {
    if (this.#isOver) return;
    if (this.#finish()) super.end();
  }

  override fail(error: ApiError): void {
    if (this.#isOver) return;
    if (this.#compressed === undefined) this.#finish();
    super.fail(error);
  }

  /** @returns false if the answer could not be read. */
  #finish(): boolean {
    const opener = this.#opener;
    if (opener === undefined) return true;
    if (this.#compressed !== undefined) {
      const plain = decompress(this.#compressed.concat(), this.#encoding, MAX_WHOLE_BYTES);
      if (plain === undefined) {
        this.#break();
        return false;
      }
      this.#pass(opener.push(plain));
    }
    this.#pass(opener.end());
    this.#options.onOpened(opener.counts);
    return true;
  }

  #pass(bytes: Buffer): boolean {
    return bytes.length === 0 || super.data(bytes);
  }

  #break(): void {
    this.#isOver = true;
    super.fail({ ...TOO_LONG, mayBeBilled: true });
  }
}
