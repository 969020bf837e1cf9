import type { FormatName } from '../../formats/conversation.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { BodyPart, CapturedBody, TrafficDetails } from './protocol.ts';
import { bodyText } from './recordedBody.ts';
import { SecretMask } from './secretMask.ts';
import { Trace } from './trace.ts';

export interface TrafficLimits {
  /** Maximum number of ended exchanges whose headers are kept. */
  readonly exchanges: number;
  /** Maximum total size of all captured bodies. */
  readonly bytes: number;
  /** How long bodies are kept after the end of their exchange, in milliseconds. */
  readonly ageMs: number;
}

const LIMITS: TrafficLimits = { exchanges: 500, bytes: 64 * 1024 * 1024, ageMs: 60 * 60 * 1000 };
const CLEANING_MS = 60_000;

/**
 * Keeps details of recent exchanges that are not in their records, only in memory: headers without secrets and, if
 * capturing is on, bodies.
 */
export class Traffic {
  readonly #limits: TrafficLimits;
  readonly #running = new Map<string, Trace>();
  /** Oldest first. */
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

  /** Applies to exchanges that start later. Switching it off deletes all captured bodies. */
  setCapturing(isOn: boolean): void {
    this.#isCapturing = isOn;
    if (!isOn) this.deleteBodies();
  }

  /**
   * Adds keys that are masked in bodies, whatever their format. Earlier keys stay, because captured bodies can still
   * contain them.
   */
  addSecrets(secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
  }

  begin(id: string, format: FormatName, rawHeaders: readonly string[]): Trace {
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

  /** Returns those of the exchanges whose whole request is kept. */
  captured(ids: readonly string[]): readonly string[] {
    return ids.filter((id) => {
      const request = this.#find(id)?.captured?.body('request');
      return request !== undefined && request.keptBytes === request.bytes;
    });
  }

  deleteBodies(): void {
    for (const trace of [...this.#running.values(), ...this.#ended.values()]) this.#deleteBodiesOf(trace);
  }

  #find(id: string): Trace | undefined {
    return this.#running.get(id) ?? this.#ended.get(id);
  }

  /**
   * Makes room by deleting the oldest bodies.
   * @returns false if all kept bodies belong to running exchanges.
   */
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
