import type { OutgoingHttpHeaders } from 'node:http';
import type { FormatName } from '../../formats/conversation.ts';
import type { Usage } from '../../formats/usage.ts';
import { BYTES_PER_TOKEN } from '../core/usageEstimator.ts';
import { ByteList, joined } from '../http/byteList.ts';
import { decompressPart, readsEncoding } from '../http/contentEncoding.ts';
import { withHeaderCost } from '../http/headers.ts';
import { shortObject } from '../http/jsonBody.ts';
import { workInTurn } from '../http/turns.ts';
import type { AnswerProgress } from './answerProgress.ts';
import { AnswerReader } from './answerReader.ts';
import { estimatedOutput } from './localEstimator.ts';
import type { PlannedUsage } from './plannedUsage.ts';
import { type ReportedCount, UsageReader } from './usageReader.ts';

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
/** The most bytes that all running answers keep together. Beyond that, only the beginning of each is kept. */
const MAX_KEPT_OF_ALL = 128 * 1024 * 1024;
const BEGINNING_BYTES = 16 * 1024;

/** Bytes are read in blocks of this size, because starting a search costs as much as searching several kilobytes. */
const READ_AT_ONCE = 8 * 1024;
/** More than this is not left for the end of the step, because its time would count for no turn of the event loop. */
const MAX_UNREAD = 32 * 1024;

/** If a limit depends on the usage, reported output below this fraction of the visible output is not believed. */
const MIN_PART_COUNTED = 0.5;
/** Typical number of bytes in a stream's events for one token. */
const STREAM_BYTES_PER_TOKEN = 200;
/** The largest number of bytes in a stream's events for one token, in any format. */
const MAX_BYTES_PER_TOKEN = 400;

const NOTHING: Buffer = Buffer.alloc(0);

/** How many bytes the running answers of a server keep together. */
export interface KeptOfAll {
  length: number;
}

/**
 * What has passed of an answer: its form, its length, its beginning, which is kept without copying, and what its bytes
 * report. Reading them does not delay the client: Node.js sends written bytes at the end of the current step, and they
 * are read after that. A compressed answer is read after its end.
 */
export class PassedAnswer {
  readonly #format: FormatName;
  readonly #kept = new ByteList();
  readonly #keptOfAll: KeptOfAll;
  /** Undefined until the answer starts. Read only. */
  form: AnswerForm | undefined;
  /** Read only. */
  isEventStream = false;
  /** Whether it passes unchanged and uncompressed, so that its bytes are read. Read only. */
  isRead = false;
  /** Set if it shows as it passes how much it uses, which a limit depends on. */
  watch: Pick<PlannedUsage, 'read'> | undefined;
  /** What its bytes have reported so far. A short answer is read at its end. Read only. */
  reader: UsageReader | undefined;
  /** Reads the bytes of a stream or of a long answer while they pass. */
  #meter: AnswerReader | undefined;
  #unread: Buffer[] = [];
  #unreadLength = 0;
  #isReadDue = false;
  #maxKept = MAX_KEPT;
  /** How many bytes have passed. Read only. */
  length = 0;
  #decompressed: Buffer | undefined;

  /** @param format the caller's format. */
  constructor(format: FormatName, keptOfAll: KeptOfAll) {
    this.#format = format;
    this.#keptOfAll = keptOfAll;
  }

  start(form: AnswerForm): void {
    const { status, isEventStream, encoding, isNative } = form;
    this.form = form;
    this.isEventStream = isEventStream;
    this.isRead = isNative && status < 400 && encoding === '';
    if (encoding !== '') this.#maxKept = MAX_KEPT_COMPRESSED;
    if (this.isRead && isEventStream) this.#createMeter(true);
  }

  /** Must be called after the chunk was written to the client. The chunk must not be modified afterwards. */
  add(chunk: Buffer): void {
    this.#unread.push(chunk);
    this.#unreadLength += chunk.length;
    const isWatched = this.watch !== undefined;
    if (this.#unreadLength < READ_AT_ONCE && !isWatched) return;
    if (this.#unreadLength >= MAX_UNREAD || isWatched) this.readAll();
    else if (!this.#isReadDue) {
      this.#isReadDue = true;
      process.nextTick(this.#readDue);
    }
  }

  readonly #readDue = (): void => {
    this.#isReadDue = false;
    workInTurn(this.readAll, undefined);
  };

  readonly readAll = (): void => {
    if (this.#unread.length === 0) return;
    const bytes = joined(this.#unread);
    this.#unread = [];
    this.#unreadLength = 0;
    this.#keep(bytes);
    if (this.#meter !== undefined) this.#meter.push(bytes);
    else if (this.isRead && this.length >= BEGINNING_BYTES) this.#meterWhole();
    this.watch?.read(bytes);
  };

  #keep(bytes: Buffer): void {
    this.length += bytes.length;
    const { length } = this.#kept;
    if (length >= this.#maxKept || (this.#keptOfAll.length >= MAX_KEPT_OF_ALL && length >= BEGINNING_BYTES)) return;
    this.#kept.add(bytes);
    this.#keptOfAll.length += bytes.length;
  }

  #createMeter(isStream: boolean): AnswerReader {
    this.#meter = new AnswerReader(this.#format, isStream);
    this.reader = this.#meter.usage;
    return this.#meter;
  }

  /** Called while the whole beginning of the answer is kept. */
  #meterWhole(): AnswerReader {
    const meter = this.#createMeter(false);
    meter.push(this.#kept.concat());
    return meter;
  }

  /** Returns what its bytes report. Called at its end. */
  reported(): ReportedCount | undefined {
    const answer = this.#meter === undefined ? shortObject(this.#kept.concat()) : undefined;
    if (answer === undefined) return (this.#meter ?? this.#meterWhole()).reported();
    this.reader = new UsageReader(this.#format);
    this.reader.readAnswer(answer);
    return this.reader.reported();
  }

  /** How far a stream that is read has come. Undefined for other answers. */
  get progress(): AnswerProgress | undefined {
    this.readAll();
    return this.#meter?.progress;
  }

  /** Whether it passed unchanged, and must be decompressed to be read. */
  get isCompressed(): boolean {
    const { isNative = false, encoding = '' } = this.form ?? {};
    return isNative && encoding !== '' && readsEncoding(encoding);
  }

  /** Decompresses what is kept, and returns what it reports. */
  async reportedCompressed(): Promise<ReportedCount | undefined> {
    const plain = await decompressPart(this.#kept.concat(), this.form?.encoding ?? '', MAX_DECOMPRESSED);
    this.#decompressed = plain;
    if (plain === undefined) return undefined;
    const meter = this.#createMeter(this.isEventStream);
    meter.push(plain);
    this.watch?.read(plain);
    return meter.reported();
  }

  /** Whether it could not be decompressed. Known after {@link reportedCompressed}. */
  get isUnreadable(): boolean {
    return this.form?.encoding !== '' && this.#decompressed === undefined;
  }

  /** The fraction of the bytes that is kept. */
  get keptPart(): number {
    return this.length === 0 ? 1 : this.#kept.length / this.length;
  }

  get beginning(): Buffer {
    return this.#kept.concat();
  }

  get lastBytes(): Buffer {
    return this.#meter?.progress?.lastBytes ?? NOTHING;
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
    return outputTokens < estimatedOutput(this.visible) * MIN_PART_COUNTED;
  }

  /** Adds the amount in its headers, which a stream cannot have, to a usage. */
  withHeaderCost(usage: Usage): Usage {
    const { headers } = this.form ?? {};
    return headers === undefined || this.isEventStream ? usage : withHeaderCost(usage, headers);
  }

  get #readable(): Buffer {
    return this.#decompressed ?? this.#kept.concat();
  }

  /** What an estimate of its tokens reads. */
  get visible() {
    return { format: this.#format, isStream: this.isEventStream, bytes: this.#readable };
  }

  /** Must be called when the answer is no longer needed. */
  release(): void {
    this.#keptOfAll.length -= this.#kept.length;
    this.#kept.clear();
  }
}
