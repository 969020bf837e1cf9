import { setTimeout as delay } from 'node:timers/promises';
import type { SessionIds } from '../../ledger/ledgerEntry.ts';
import { hashFile } from '../../ledger/sessionHash.ts';
import { WorkerClient } from '../../rpc/workerClient.ts';
import { BoundedMap } from '../../rules/boundedMap.ts';
import type { MeasuredContext, MeasuredPart } from '../../rules/contextPart.ts';
import type { MeasureQuestion } from './contextMeter.ts';

/** Total size of the bodies waiting to be measured. Bodies beyond this limit are not measured. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** A measure that takes longer than this is aborted by ending its thread. */
const MAX_MEASURE_MS = 10_000;
/** An exchange keeps a body up to this length until its end. Longer ones are measured at once, which frees them. */
const MAX_KEPT_BYTES = 1024 * 1024;
const MAX_NAMES = 5_000;
const CLOSING_MS = 2_000;

interface MeasuredRequest {
  readonly id: string;
  readonly model: string;
  readonly body: Buffer;
}

type Measure = MeasuredContext | undefined;
type LaterMeasure = Promise<Measure>;

/** Measures what the requests of sessions consist of after they were sent, in a separate thread. */
export class ContextWatch {
  readonly #thread = new WorkerClient<MeasureQuestion, Measure>({
    beside: import.meta.url,
    entry: 'contextThread',
    name: 'measuring contexts',
    maxMs: MAX_MEASURE_MS,
  });
  /** Applies to later requests. */
  isOn = true;
  /** Whether parts keep the names of files beside their hashes. */
  keepsNames = false;
  /** Whether a request whose exchange has not ended is measured. */
  isMeasuring = false;
  readonly #key: Uint8Array | undefined;
  readonly #onProblem: (error: unknown) => void;
  /** Requests whose exchanges have not ended, in the order in which they were sent. */
  readonly #sent = new Map<string, MeasureQuestion>();
  readonly #measures = new Map<string, Promise<Measure>>();
  readonly #running = new Set<Promise<Measure>>();
  /** Requests that were measured before it was known that they are not billed. The thread learns it with the next one. */
  readonly #unbilled: string[] = [];
  /** The names of files and commands by their hashes, the latest last. */
  readonly #names = new BoundedMap<string, string>(MAX_NAMES);
  #waitingBytes = 0;
  #hasFailed = false;

  /**
   * @param key for the hashes of files, as for those of sessions. Without one, names stay as they are.
   * @param onProblem called with the reason why requests could not be measured, once until one is measured.
   */
  constructor(key: Uint8Array | undefined, onProblem: (error: unknown) => void) {
    this.#key = key;
    this.#onProblem = onProblem;
  }

  /**
   * Called when the request was sent to its upstream and its session is known. It is measured when its exchange has ended,
   * so that the answer does not wait for it.
   */
  sent({ id, model, body }: MeasuredRequest, { sessionId, agentId = '' }: SessionIds): void {
    this.isMeasuring = true;
    this.#sent.set(id, { id, model, lane: `${sessionId} ${agentId}`, body });
    if (body.length > MAX_KEPT_BYTES) this.#measureUpTo(id);
  }

  /**
   * Called when the exchange has ended. A request that was not billed is not measured, or its measure is withdrawn, so that
   * the calls in it are new in the request that repeats it.
   * @returns the result, once it is there; `undefined` if the request is not measured. Never rejects.
   */
  ended(exchangeId: string, isBilled: boolean): Promise<Measure> | undefined {
    if (isBilled && this.#sent.has(exchangeId)) this.#measureUpTo(exchangeId);
    else this.#sent.delete(exchangeId);
    const measure = this.#measures.get(exchangeId);
    if (measure !== undefined && !isBilled) this.#unbilled.push(exchangeId);
    this.#measures.delete(exchangeId);
    this.isMeasuring = this.#measures.size + this.#sent.size > 0;
    return measure;
  }

  /** Measures a request and those sent before it, which it may continue. */
  #measureUpTo(id: string): void {
    for (const [each, question] of this.#sent) {
      this.#sent.delete(each);
      this.#measures.set(each, this.measure(question));
      if (each === id) return;
    }
  }

  /** Measures a request. Never rejects. */
  measure(question: MeasureQuestion): LaterMeasure {
    const measure = this.#measure(question);
    this.#running.add(measure);
    void measure.then(() => this.#running.delete(measure));
    return measure;
  }

  /** Waits for what is being measured, for a moment. */
  async close(): Promise<void> {
    await Promise.race([Promise.all(this.#running), delay(CLOSING_MS, undefined, { ref: false })]);
    await this.#thread.close();
  }

  /** Returns the names of files and commands by their hashes, as far as they are remembered. */
  namesOf(hashes: readonly string[]): Readonly<Record<string, string>> {
    const names = hashes.flatMap((hash) => {
      const name = this.#names.get(hash);
      return name === undefined ? [] : [[hash, name]];
    });
    return Object.fromEntries(names);
  }

  async #measure(question: MeasureQuestion): Promise<Measure> {
    const { body } = question;
    if (this.#waitingBytes + body.length > MAX_WAITING_BYTES) return undefined;
    this.#waitingBytes += body.length;
    const unbilled = this.#unbilled.splice(0);
    // The body is copied because it may be part of a shared buffer, which cannot be transferred.
    const copy = new Uint8Array(body);
    try {
      const context = await this.#thread.ask({ ...question, body: copy, unbilled }, [copy.buffer]);
      this.#hasFailed = false;
      return context && { ...context, parts: context.parts.map((part) => this.#hashed(part)) };
    } catch (error) {
      if (!this.#hasFailed) this.#onProblem(new Error('A request could not be measured.', { cause: error }));
      this.#hasFailed = true;
      return undefined;
    } finally {
      this.#waitingBytes -= body.length;
    }
  }

  /** The ledger gets a hash in place of the name of a file, or both. */
  #hashed(part: MeasuredPart): MeasuredPart {
    const { fileName, ...rest } = part;
    if (fileName === undefined || this.#key === undefined) return part;
    const file = hashFile(this.#key, fileName);
    this.#names.set(file, fileName);
    return { ...(this.keepsNames ? part : rest), file };
  }
}
