/**
 * A substitute for the hosted service whose model follows a script of steps, in any of the three formats. It reads each
 * request with the format's own rules, so that a request which a real service would refuse fails here too.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ChatResponse, responseEvents } from '../../src/formats/answer.ts';
import type { AssistantPart, ChatRequest, Message } from '../../src/formats/conversation.ts';
import { wireFormats } from '../../src/formats/index.ts';
import { formatServerSentEvent } from '../../src/formats/serverSentEvents.ts';
import type { Usage } from '../../src/formats/usage.ts';

/** A call of a step: the name of the tool, and its arguments as JSON or as written. */
export type ScriptedCall = readonly [name: string, args: object | string];

export interface ScriptedStep {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: Partial<Usage>;
  /** When the answer begins. Default: immediately. */
  readonly from?: Promise<unknown>;
  /** Breaks the connection after this share of the bytes. */
  readonly cutAt?: number;
  /** Refuses the request with this HTTP status. */
  readonly refusal?: number;
}

/** Returns the step for a request. `results` are the texts of the tool results since the last question, in order. */
export type Script = (asked: {
  readonly index: number;
  readonly request: ChatRequest;
  readonly results: readonly string[];
}) => ScriptedStep;

const CATALOG = {
  object: 'list',
  data: [
    {
      id: 'familya-sonnet-4.6',
      object: 'model',
      context_window: 200_000,
      max_output_tokens: 64_000,
      pricing: { input: 3, output: 15 },
      capabilities: { tools: true },
    },
    {
      id: 'familya-haiku-4.5',
      object: 'model',
      context_window: 9000,
      max_output_tokens: 4000,
      pricing: { input: 1, output: 5 },
      capabilities: { tools: true, images: false },
    },
  ],
};

export class ScriptedModel {
  /** The requests in the neutral form. */
  readonly requests: ChatRequest[] = [];
  readonly #server: Server;
  #script: Script = () => ({ text: 'Done.' });
  #calls = 0;

  static async start(): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: String(error), type: 'invalid_request_error' } }));
      });
    });
  }

  get baseAddress(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/v1`;
  }

  /** Begins a new script, and forgets the earlier requests. */
  follow(script: Script | readonly ScriptedStep[]): void {
    this.requests.length = 0;
    this.#script =
      typeof script === 'function'
        ? script
        : ({ index }) => script[Math.min(index, script.length - 1)] ?? { text: 'Done.' };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const path = incoming.url ?? '';
    if (path.endsWith('/models')) return json(response, CATALOG);
    if (path.endsWith('/balance')) return json(response, { balance: 12.5, currency: 'USD' });
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (path.endsWith('/count_tokens')) return json(response, { input_tokens: 1000 });
    const format = Object.values(wireFormats).find((one) => path.endsWith(one.path));
    if (format === undefined) throw new Error(`Nothing is at ${path}.`);
    const request = format.decodeRequest(body);
    checkPairs(request.messages);
    const index = this.requests.push(request) - 1;
    const step = this.#script({ index, request, results: resultsOf(request.messages) });
    await step.from;
    if (step.refusal !== undefined) {
      json(response, { error: { message: `Refused with ${step.refusal}.` } }, step.refusal);
      return;
    }
    const encoder = format.createStreamEncoder({ request, now: 1, inputTokens: 1000 });
    const events = [...responseEvents(this.#answer(request, step))].flatMap((event) => encoder.push(event));
    const stream = [...events, ...encoder.end()].map(formatServerSentEvent).join('');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (step.cutAt === undefined) {
      response.end(stream);
      return;
    }
    response.write(stream.slice(0, stream.length * step.cutAt), () => response.socket?.destroy());
  }

  #answer({ model }: ChatRequest, { text = '', calls = [], usage }: ScriptedStep): ChatResponse {
    const spoken: AssistantPart[] = text === '' ? [] : [{ type: 'text', text }];
    const called = calls.map(([name, args]): AssistantPart => {
      this.#calls += 1;
      const written = typeof args === 'string' ? args : JSON.stringify(args);
      return { type: 'toolCall', id: `call_${this.#calls}`, name, arguments: written };
    });
    return {
      id: `answer_${this.requests.length}`,
      model,
      parts: [...spoken, ...called],
      finishReason: called.length === 0 ? 'stop' : 'toolCalls',
      usage: { inputTokens: 1000, outputTokens: 100, ...usage },
    };
  }
}

/** Each call needs exactly one result in the message that follows it, as the services demand. */
function checkPairs(messages: readonly Message[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    const called = message.parts.flatMap((part) => (part.type === 'toolCall' ? [part.id] : []));
    if (called.length === 0) continue;
    const next = messages[index + 1];
    const answered = next?.role === 'tool' ? next.parts.map(({ toolCallId }) => toolCallId) : [];
    if (called.join() !== answered.join())
      throw new Error(`The calls ${called.join()} have the results ${answered.join()}.`);
  }
}

function resultsOf(messages: readonly Message[]): string[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  return messages
    .slice(asked + 1)
    .flatMap((message) =>
      message.role === 'tool'
        ? message.parts.map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join(''))
        : [],
    );
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
