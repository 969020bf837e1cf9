import type { OutgoingHttpHeaders } from 'node:http';
import type { FormatName } from '../../formats/conversation.ts';
import type { Usage } from '../../formats/usage.ts';
import type { CountedModel } from '../../ledger/outputSpeeds.ts';
import { withHeaderCost } from '../core/costHeader.ts';
import { BYTES_PER_TOKEN, type UsageEstimator } from '../core/usageEstimator.ts';
import { ByteList } from '../http/byteList.ts';
import { decompressPart, readsEncoding } from '../http/contentEncoding.ts';
import { isTurnOver, nextTurn, workInTurn } from '../http/turns.ts';
import { estimatedOutput } from './localEstimator.ts';

/** The form in which an answer reaches the caller. */
export interface AnswerForm {
  readonly status: number;
  readonly isEventStream: boolean;
  /** Empty if the answer is not compressed. */
  readonly encoding: string;
  /** Whether the upstream uses the caller's format, so that its bytes pass unchanged. */
  readonly isNative: boolean;
  readonly headers?: OutgoingHttpHeaders;
}

/** How many bytes of a plain or a compressed answer are kept until its end, in case its usage must be estimated. */
const MAX_KEPT = 512 * 1024;
const MAX_KEPT_COMPRESSED = 4 * 1024 * 1024;
const MAX_DECOMPRESSED = 64 * 1024 * 1024;
/** Reading the text of a shorter answer takes no noticeable time. In bytes. */
const LONG_ANSWER = 16 * 1024;
/** The most bytes that all running answers keep together. Beyond that, only the beginning of each is kept. */
const MAX_KEPT_OF_ALL = 128 * 1024 * 1024;
export const BEGINNING_BYTES = 16 * 1024;

/** If a limit depends on the usage, reported output below this fraction of the visible output is not believed. */
const MIN_PART_COUNTED = 0.5;
/** Typical number of bytes in a stream's events for one token. */
const STREAM_BYTES_PER_TOKEN = 200;
/** The largest number of bytes in a stream's events for one token, in any format. */
const MAX_BYTES_PER_TOKEN = 400;

let keptOfAll = 0;

/**
 * What has passed of an answer: its form, its length, and its beginning, which is kept without copying. A compressed
 * answer is read after its end.
 */
export class PassedAnswer {
  readonly #format: FormatName;
  readonly #kept = new ByteList();
  /** Undefined until the answer starts. Read only. */
  form: AnswerForm | undefined;
  /** Read only. */
  isEventStream = false;
  #maxKept = MAX_KEPT;
  /** How many bytes have passed. Read only. */
  length = 0;
  #decompressed: Buffer | undefined;

  /** @param format the caller's format. */
  constructor(format: FormatName) {
    this.#format = format;
  }

  start(form: AnswerForm): void {
    this.form = form;
    this.isEventStream = form.isEventStream;
    if (form.encoding !== '') this.#maxKept = MAX_KEPT_COMPRESSED;
  }

  add(chunk: Buffer): void {
    this.length += chunk.length;
    const { length } = this.#kept;
    if (length >= this.#maxKept || (keptOfAll >= MAX_KEPT_OF_ALL && length >= BEGINNING_BYTES)) return;
    this.#kept.add(chunk);
    keptOfAll += chunk.length;
  }

  get kept(): Buffer {
    return this.#kept.concat();
  }

  /** Whether it passed unchanged, and must be decompressed to be read. */
  get isCompressed(): boolean {
    const { isNative = false, encoding = '' } = this.form ?? {};
    return isNative && encoding !== '' && readsEncoding(encoding);
  }

  /**
   * Decompresses what is kept.
   * @returns undefined if that is not possible.
   */
  async decompress(): Promise<Buffer | undefined> {
    this.#decompressed = await decompressPart(this.#kept.concat(), this.form?.encoding ?? '', MAX_DECOMPRESSED);
    return this.#decompressed;
  }

  /** The fraction of the bytes that is kept. */
  get keptPart(): number {
    return this.length === 0 ? 1 : this.#kept.length / this.length;
  }

  includes(text: string): boolean {
    return this.#readable.includes(text);
  }

  /** The number of output tokens that it has by its length. */
  get approximateTokens(): number {
    return Math.ceil(this.length / (this.isEventStream ? STREAM_BYTES_PER_TOKEN : BYTES_PER_TOKEN));
  }

  /** Whether it shows so much output that a reported number of tokens is not believed. */
  showsMoreThan(outputTokens: number): boolean {
    const length = this.#decompressed?.length ?? this.length;
    if (length <= outputTokens * MAX_BYTES_PER_TOKEN) return false;
    return outputTokens < estimatedOutput(this.#visible) * MIN_PART_COUNTED;
  }

  /**
   * Estimates its output tokens. Hundreds of clients may disconnect at once, so long answers are read in several turns of
   * the event loop.
   */
  async tokens(estimator: UsageEstimator, model: CountedModel): Promise<number> {
    if (this.length >= LONG_ANSWER && isTurnOver()) await nextTurn();
    return workInTurn(() => this.#tokens(estimator, model), undefined);
  }

  async #tokens(estimator: UsageEstimator, model: CountedModel): Promise<number> {
    if (this.form === undefined) return 0;
    // If an answer cannot be decompressed, its number of tokens is about its number of bytes.
    if (this.form.encoding !== '' && this.#decompressed === undefined) return this.length;
    const tokens = await estimator.output({ ...model, ...this.#visible });
    return Math.ceil(tokens / this.keptPart);
  }

  /** Adds the amount in its headers, which a stream cannot have, to a usage. */
  withHeaderCost(usage: Usage): Usage {
    const { headers } = this.form ?? {};
    return headers === undefined || this.isEventStream ? usage : withHeaderCost(usage, headers);
  }

  get #readable(): Buffer {
    return this.#decompressed ?? this.#kept.concat();
  }

  get #visible() {
    return { format: this.#format, isStream: this.isEventStream, bytes: this.#readable };
  }

  /** Must be called when the answer is no longer needed. */
  release(): void {
    keptOfAll -= this.#kept.length;
    this.#kept.clear();
  }
}
