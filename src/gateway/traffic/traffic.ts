import type { FormatName } from '../../formats/conversation.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { ExchangeTrace } from '../core/exchangeTrace.ts';
import { bodyText } from './bodyText.ts';
import type { BodyPart, CapturedBody, TrafficDetails } from './protocol.ts';
import { SecretMask } from './secretMask.ts';
import { Trace } from './trace.ts';

export interface TrafficLimits {
  /** Ended exchanges of which headers are remembered. */
  readonly exchanges: number;
  /** Of all captured bodies together. */
  readonly bytes: number;
  /** Milliseconds from the end of an exchange for which its bodies are kept. */
  readonly ageMs: number;
}

const LIMITS: TrafficLimits = { exchanges: 500, bytes: 64 * 1024 * 1024, ageMs: 60 * 60 * 1000 };
const CLEANING_MS = 60_000;

/**
 * What is remembered of recent exchanges beside their records, in memory alone: headers without secrets and, while it
 * is switched on, bodies.
 */
export class Traffic {
  readonly #limits: TrafficLimits;
  readonly #running = new Map<string, Trace>();
  /** The oldest first. */
  readonly #ended = new Map<string, Trace>();
  readonly #secrets = new Set<string>();
  #isCapturing = false;
  #keptBytes = 0;
  #cleaning: NodeJS.Timeout | undefined;

  constructor(limits: Partial<TrafficLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  get isCapturing(): boolean {
    return this.#isCapturing;
  }

  /** For exchanges that begin from now on. Switched off, nothing that was captured stays. */
  setCapturing(isOn: boolean): void {
    this.#isCapturing = isOn;
    if (!isOn) this.deleteBodies();
  }

  /** Keys that are masked in bodies, whatever they look like; earlier ones may still stand in what was captured. */
  addSecrets(secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
  }

  begin(id: string, format: FormatName, rawHeaders: readonly string[]): ExchangeTrace {
    const trace = new Trace(id, format, rawHeaders);
    if (this.#isCapturing) trace.capture((bytes) => this.#keep(bytes));
    this.#running.set(id, trace);
    return trace;
  }

  ended(record: ExchangeRecord): void {
    const trace = this.#running.get(record.id);
    if (trace === undefined) return;
    this.#running.delete(record.id);
    trace.end(record);
    this.#ended.set(record.id, trace);
    for (const id of this.#ended.keys()) {
      if (this.#ended.size <= this.#limits.exchanges) return;
      this.#forget(id);
    }
  }

  details(id: string): TrafficDetails | undefined {
    return this.#find(id)?.details();
  }

  async body(id: string, part: BodyPart): Promise<CapturedBody | undefined> {
    const recorded = this.#find(id)?.captured?.body(part);
    return recorded === undefined ? undefined : bodyText(part, recorded, new SecretMask([...this.#secrets]));
  }

  deleteBodies(): void {
    for (const trace of [...this.#running.values(), ...this.#ended.values()]) this.#deleteBodiesOf(trace);
  }

  #find(id: string): Trace | undefined {
    return this.#running.get(id) ?? this.#ended.get(id);
  }

  /** Makes room at the cost of the oldest. @returns false where all that is kept still runs. */
  #keep(bytes: number): boolean {
    this.#cleaning ??= setInterval(() => this.#deleteOld(), CLEANING_MS).unref();
    for (const trace of this.#ended.values()) {
      if (this.#keptBytes + bytes <= this.#limits.bytes) break;
      this.#deleteBodiesOf(trace);
    }
    if (this.#keptBytes + bytes > this.#limits.bytes) return false;
    this.#keptBytes += bytes;
    return true;
  }

  #deleteOld(): void {
    const oldest = performance.now() - this.#limits.ageMs;
    for (const trace of this.#ended.values()) {
      if (trace.endedAt > oldest) return;
      this.#deleteBodiesOf(trace);
    }
  }

  #forget(id: string): void {
    const trace = this.#ended.get(id);
    this.#ended.delete(id);
    if (trace !== undefined) this.#deleteBodiesOf(trace);
  }

  #deleteBodiesOf(trace: Trace): void {
    if (trace.captured === undefined) return;
    this.#keptBytes -= trace.captured.keptBytes;
    trace.deleteBodies();
  }
}
