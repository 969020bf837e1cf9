/** Sends requests to a sandbox directly and records what its sink receives. */
import type { OutgoingHttpHeaders } from 'node:http';
import { assembleResponse, type ChatEvent, type ChatResponse } from '../../../../../src/formats/answer.ts';
import type { ApiError } from '../../../../../src/formats/apiError.ts';
import { chatCompletions } from '../../../../../src/formats/chatCompletions/index.ts';
import type { ChatRequest, FormatName } from '../../../../../src/formats/conversation.ts';
import { messages } from '../../../../../src/formats/messages/index.ts';
import { responses } from '../../../../../src/formats/responses/index.ts';
import { ServerSentEventDecoder } from '../../../../../src/formats/serverSentEvents.ts';
import type { WireFormat } from '../../../../../src/formats/wireFormat.ts';
import { callerFormat } from '../../../../../src/gateway/core/route.ts';
import type { AnswerSink, Endpoint, Upstream, UpstreamCall } from '../../../../../src/gateway/core/upstream.ts';
import { Sandbox, type SandboxOptions } from '../../../../../src/gateway/upstreams/sandbox/sandbox.ts';

const formats: readonly WireFormat[] = [chatCompletions, messages, responses];
export const formatNames: readonly FormatName[] = formats.map(({ name }) => name);

export function formatNamed(name: FormatName): WireFormat {
  const format = formats.find((one) => one.name === name);
  if (format === undefined) throw new Error(`No format ${name}.`);
  return format;
}

/** Creates a sandbox without delays and with reproducible IDs. */
export function quickSandbox(options: SandboxOptions = {}): Upstream {
  return new Sandbox({ delayMs: 0, idSeed: 'test', ...options });
}

export interface Sent {
  readonly endpoint: Endpoint;
  readonly subpath?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text that is sent unchanged. */
  readonly body?: unknown;
  readonly localKeyId?: string;
}

export interface Recorded {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly text: string;
  readonly failure?: ApiError;
}

/** Records one answer. `done` resolves when it ends or fails. */
export class RecordingSink implements AnswerSink {
  readonly chunks: string[] = [];
  readonly done: Promise<Recorded>;
  readonly #settle: (recorded: Recorded) => void;
  /** The return value of `data`; called with the number of chunks so far. */
  readonly #accepts: (chunks: number) => boolean;
  status = 0;
  headers: OutgoingHttpHeaders = {};
  over = false;

  constructor(accepts: (chunks: number) => boolean = () => true) {
    this.#accepts = accepts;
    const { promise, resolve } = Promise.withResolvers<Recorded>();
    this.done = promise;
    this.#settle = resolve;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    this.#check('start', this.status === 0);
    this.status = status;
    this.headers = headers;
  }

  data(chunk: Uint8Array | string): boolean {
    this.#check('data', this.status !== 0);
    this.chunks.push(String(chunk));
    return this.#accepts(this.chunks.length);
  }

  end(): void {
    this.#check('end', this.status !== 0);
    this.#finish({});
  }

  fail(failure: ApiError): void {
    this.#check('fail', true);
    this.#finish({ failure });
  }

  get text(): string {
    return this.chunks.join('');
  }

  #finish(end: Pick<Recorded, 'failure'>): void {
    this.over = true;
    this.#settle({ status: this.status, headers: this.headers, text: this.text, ...end });
  }

  #check(step: string, allowed: boolean): void {
    if (!allowed || this.over) throw new Error(`The sandbox gave "${step}" out of order.`);
  }
}

export function send(sandbox: Upstream, sent: Sent, sink: AnswerSink): UpstreamCall {
  const { endpoint, subpath = '', headers = {}, body, localKeyId = 'terminal' } = sent;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return sandbox.send(
    {
      endpoint,
      method: body === undefined ? 'GET' : 'POST',
      subpath,
      query: '',
      headers,
      localKeyId,
      callerFormat: callerFormat(endpoint, headers),
      ...(body !== undefined && { body: Buffer.from(text) }),
    },
    sink,
  );
}

export function ask(sandbox: Upstream, sent: Sent): Promise<Recorded> {
  const sink = new RecordingSink();
  send(sandbox, sent, sink);
  return sink.done;
}

export interface Question {
  readonly text?: string;
  readonly model?: string;
  readonly format?: FormatName;
  readonly request?: Partial<ChatRequest>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly localKeyId?: string;
}

/** Returns the body of a question in its format. */
function questionBody({ text = 'Hello', model = 'familya-sonnet-4.6', format, request }: Question): unknown {
  return formatNamed(format ?? 'chat-completions').encodeRequest({
    model,
    system: [],
    messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    ...request,
  });
}

export function askQuestion(sandbox: Upstream, question: Question): Promise<Recorded> {
  return ask(sandbox, sentQuestion(question));
}

export function sentQuestion(question: Question): Sent {
  const { format = 'chat-completions', headers, localKeyId } = question;
  return {
    endpoint: formatNamed(format).path as Endpoint,
    body: questionBody(question),
    ...(headers !== undefined && { headers }),
    ...(localKeyId !== undefined && { localKeyId }),
  };
}

/** Returns the answer in the neutral form; streamed ones are assembled. */
export async function answerOf(sandbox: Upstream, question: Question): Promise<ChatResponse> {
  const { status, text, failure } = await askQuestion(sandbox, question);
  if (status !== 200 || failure !== undefined) throw new Error(`Status ${status}: ${text}`);
  const format = formatNamed(question.format ?? 'chat-completions');
  if (question.request?.stream !== true) return format.decodeResponse(JSON.parse(text));
  return assembleResponse(eventsOf(format, text));
}

/** Returns the events in a stream's text, as decoded by its format. */
export function eventsOf(format: WireFormat, text: string): readonly ChatEvent[] {
  const lines = new ServerSentEventDecoder();
  const decoder = format.createStreamDecoder();
  const events = [...lines.push(new TextEncoder().encode(text)), ...lines.end()];
  return [...events.flatMap((event) => decoder.push(format.parseEvent(event))), ...decoder.end()];
}

export function textOf({ parts }: ChatResponse): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Returns the response of the balance endpoint as plain JSON. */
export async function balanceOf(sandbox: Upstream, localKeyId = 'terminal') {
  const { text } = await ask(sandbox, { endpoint: '/balance', localKeyId });
  return JSON.parse(text) as { balance: number; granted: number; used: number; package: { state: string } };
}
