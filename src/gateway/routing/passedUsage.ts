import type { OutgoingHttpHeaders } from 'node:http';
import { isRecord, parseJson } from '../../formats/json.ts';
import type { Usage } from '../../formats/usage.ts';
import type { PassedEndpoint } from '../core/endpoint.ts';
import { hasOutput, isPricedByToken } from '../core/passedEndpoint.ts';
import { PassingSink } from '../core/passingSink.ts';
import type { AnswerSink, UsageCount } from '../core/upstream.ts';
import { BYTES_PER_TOKEN } from '../core/usageEstimator.ts';

/** Usage is at the end of an answer, or before its data. In bytes. */
const KEPT_BYTES = 16 * 1024;
const USAGE = /"usage"\s*:\s*(\{[^{}]{0,2000}(?:\{[^{}]{0,2000}\}[^{}]{0,2000}){0,8}\})/g;

/** Passes an answer on unread, and reports the usage that its beginning or its end names. */
export class PassedUsageSink extends PassingSink {
  readonly #endpoint: PassedEndpoint;
  readonly #bytesIn: number;
  #status = 0;
  #isText = false;
  #bytes = 0;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);

  /** @param bytesIn length of the request's body. */
  constructor(sink: AnswerSink, endpoint: PassedEndpoint, bytesIn: number) {
    super(sink);
    this.#endpoint = endpoint;
    this.#bytesIn = bytesIn;
  }

  override start(status: number, headers: OutgoingHttpHeaders): void {
    this.#status = status;
    this.#isText = /json|event-stream/i.test(String(headers['content-type'] ?? ''));
    super.start(status, headers);
  }

  override data(chunk: Buffer): boolean {
    if (this.#isText) this.#keep(chunk);
    return super.data(chunk);
  }

  override end(): void {
    if (this.#status < 300) super.used(this.#count());
    super.end();
  }

  #keep(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#head.length < KEPT_BYTES) this.#head = Buffer.concat([this.#head, bytes.subarray(0, KEPT_BYTES)]);
    this.#tail = Buffer.concat([this.#tail, bytes]).subarray(-KEPT_BYTES);
  }

  #count(): UsageCount {
    const usage = usageIn(this.#tail) ?? usageIn(this.#head);
    if (usage !== undefined) return { usage, isEstimated: false };
    const isCounted = isPricedByToken(this.#endpoint);
    const inputTokens = isCounted ? Math.ceil(this.#bytesIn / BYTES_PER_TOKEN) : 0;
    const outputTokens = isCounted && hasOutput(this.#endpoint) ? Math.ceil(this.#bytes / BYTES_PER_TOKEN) : 0;
    return { usage: { inputTokens, outputTokens }, isEstimated: true };
  }
}

/** Returns the last usage that the text names. Without a number for the input, it is the total. */
function usageIn(bytes: Buffer): Usage | undefined {
  const found = [...bytes.toString('latin1').matchAll(USAGE)].at(-1)?.[1];
  const usage = found === undefined ? undefined : parseJson(found);
  if (!isRecord(usage)) return undefined;
  const output = counted(usage.completion_tokens ?? usage.output_tokens) ?? 0;
  const total = counted(usage.total_tokens);
  const input = counted(usage.prompt_tokens ?? usage.input_tokens) ?? (total && total - output);
  return input === undefined ? undefined : { inputTokens: input, outputTokens: output };
}

function counted(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
