import type { OutgoingHttpHeaders } from 'node:http';
import { isRecord, parseJson } from '../../formats/json.ts';
import { ServerSentEventDecoder } from '../../formats/serverSentEvents.ts';
import type { Usage } from '../../formats/usage.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import type { PassedEndpoint } from '../core/endpoint.ts';
import { hasOutput, isPricedByToken } from '../core/passedEndpoint.ts';
import { PassingSink } from '../core/passingSink.ts';
import type { AnswerSink, UsageCount } from '../core/upstream.ts';
import { BYTES_PER_TOKEN } from '../core/usageEstimator.ts';
import { BoundedBytes } from '../http/byteList.ts';
import { shortObject } from '../http/jsonBody.ts';

/** Usage is at the end of an answer, or before its data. In bytes. */
const KEPT_BYTES = 16 * 1024;
/** Longer answers are not kept for an estimate of their text. In bytes. */
const MAX_READ_BYTES = 4 * 1024 * 1024;
const USAGE = /"usage"\s*:\s*(\{[^{}]{0,2000}(?:\{[^{}]{0,2000}\}[^{}]{0,2000}){0,8}\})/g;

/** Passes an answer on unread, and reports the usage that its beginning or its end names. */
export class PassedUsageSink extends PassingSink {
  readonly #endpoint: PassedEndpoint;
  readonly #body: Buffer;
  #status = 0;
  #isText = false;
  #bytes = 0;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  /** The whole answer, if its text may have to be counted. */
  #whole: BoundedBytes | undefined;
  /** The usage that the gateway has asked for. */
  #reported: UsageCount | undefined;

  /** @param body of the request. */
  constructor(sink: AnswerSink, endpoint: PassedEndpoint, body: Buffer = Buffer.alloc(0)) {
    super(sink);
    this.#endpoint = endpoint;
    this.#body = body;
    if (isPricedByToken(endpoint) && hasOutput(endpoint)) this.#whole = new BoundedBytes(MAX_READ_BYTES);
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

  override used(count: UsageCount): void {
    this.#reported = count;
  }

  override end(): void {
    if (this.#status < 300) super.used(this.#reported ?? this.#count());
    super.end();
  }

  #keep(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#head.length < KEPT_BYTES) this.#head = Buffer.concat([this.#head, bytes.subarray(0, KEPT_BYTES)]);
    this.#tail = Buffer.concat([this.#tail, bytes]).subarray(-KEPT_BYTES);
    if (this.#whole?.add(bytes) === false) this.#whole = undefined;
  }

  #count(): UsageCount {
    const usage = usageIn(this.#tail) ?? usageIn(this.#head);
    if (usage !== undefined) return { usage, isEstimated: false };
    const isCounted = isPricedByToken(this.#endpoint);
    const inputTokens = isCounted ? Math.ceil(this.#body.length / BYTES_PER_TOKEN) : 0;
    const outputTokens = isCounted && hasOutput(this.#endpoint) ? this.#outputTokens() : 0;
    return { usage: { inputTokens, outputTokens }, isEstimated: true };
  }

  /** An estimate by the texts of the choices, never more than the request allows. */
  #outputTokens(): number {
    const text = this.#whole && textOf(this.#whole.concat());
    const estimated = text === undefined ? Math.ceil(this.#bytes / BYTES_PER_TOKEN) : estimateTokens(text);
    const { max_tokens: limit, n = 1, best_of: best = n, prompt } = shortObject(this.#body) ?? {};
    const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
    const answers = Math.max(1, Number(n) || 1, Number(best) || 1) * prompts;
    return typeof limit === 'number' && limit > 0 ? Math.min(estimated, limit * answers) : estimated;
  }
}

/** Returns the texts of an answer or of a stream. Undefined if it is neither. */
function textOf(bytes: Buffer): string | undefined {
  const whole = parseJson(bytes.toString());
  if (isRecord(whole)) return textsIn(whole);
  const decoder = new ServerSentEventDecoder();
  const events = [...decoder.push(bytes), ...decoder.end()];
  return events.length === 0 ? undefined : events.map(({ data }) => textsIn(parseJson(data))).join('');
}

function textsIn(value: unknown): string {
  const choices: readonly unknown[] = isRecord(value) && Array.isArray(value.choices) ? value.choices : [];
  return choices.map((choice) => (isRecord(choice) && typeof choice.text === 'string' ? choice.text : '')).join('');
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
