/** A service that writes at the speed of a model, stops when its client has left, and bills what it has written. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FormatName } from '../../../src/formats/conversation.ts';
import { chatCompletionEvents } from '../../support/modelServer/chatCompletions.ts';
import { messageEvents } from '../../support/modelServer/messages.ts';
import { responseEvents } from '../../support/modelServer/responses.ts';

/** In tokens per second. */
const SPEED = 200;
/** Tokens of reasoning that it does not show, before the text. */
const HIDDEN = 150;
/** In US dollars per 1M tokens. */
const PRICES = { input: 3, output: 15 };
const TICK_MS = 20;
/** A word that is one token, and one event of a stream. */
const WORD = ' answer';

const EVENTS = { 'chat-completions': chatCompletionEvents, messages: messageEvents, responses: responseEvents };
const USAGE = { input: /"(prompt|input)_tokens":\d+/g, output: /"(completion|output)_tokens":\d+/g };

export interface BilledModelOptions {
  /** Words of each answer. */
  readonly words: number;
  /** How long after its client has left it stops writing. In milliseconds. */
  readonly noticeMs: number;
}

export class BilledModel {
  /** For each request in billionths of a US dollar, once nothing more is written for it. */
  readonly bill: number[] = [];
  words: number;
  readonly #noticeMs: number;
  readonly #server: Server;
  #running = 0;
  #onChange: (() => void)[] = [];
  #written = 0;

  private constructor({ words, noticeMs }: BilledModelOptions) {
    this.words = words;
    this.#noticeMs = noticeMs;
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(options: BilledModelOptions): Promise<BilledModel> {
    const model = new BilledModel(options);
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    return model;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Resolves when it has written so many tokens of a new answer, of which the first are hidden. */
  async hasWritten(tokens: number): Promise<void> {
    this.#written = 0;
    while (this.#written < tokens) await this.#change();
  }

  /** Resolves when nothing is being written, so that the bill is complete. */
  async isDone(): Promise<void> {
    while (this.#running > 0) await this.#change();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#onChange.push(resolve));
  }

  #changed(): void {
    for (const resolve of this.#onChange.splice(0)) resolve();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === 'GET') {
      const data = [{ id: 'billed', max_output_tokens: 64_000, pricing: PRICES }];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }));
      return;
    }
    const body = Buffer.concat(chunks).toString();
    const format = formatOf(request.url ?? '');
    const input = Math.ceil(body.length / 5);
    this.#running += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const output = await this.#write(response, eventsOf(format, this.words, input, body));
    this.bill.push(input * PRICES.input * 1000 + output * PRICES.output * 1000);
    this.#running -= 1;
    this.#changed();
  }

  /** @returns how many tokens it has written when it stops, which is a while after its client has left. */
  async #write(response: ServerResponse, events: readonly string[]): Promise<number> {
    const begun = performance.now();
    const total = HIDDEN + this.words;
    let left: number | undefined;
    let sent = 0;
    response.on('close', () => {
      left = performance.now();
    });
    for (;;) {
      const now = performance.now();
      const written = Math.min(total, Math.floor(((now - begun) * SPEED) / 1000));
      this.#written = written;
      this.#changed();
      if (left !== undefined && now - left >= this.#noticeMs) return written;
      if (left === undefined) {
        const due = events.slice(sent, written === total ? undefined : Math.max(2, written - HIDDEN));
        sent += due.length;
        if (due.length > 0) response.write(due.join(''));
      }
      if (written === total) {
        response.end();
        return total;
      }
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  }
}

function formatOf(url: string): FormatName {
  if (url.includes('/messages')) return 'messages';
  return url.includes('/responses') ? 'responses' : 'chat-completions';
}

function eventsOf(format: FormatName, words: number, input: number, body: string): string[] {
  const output = HIDDEN + words;
  const asksUsage = format !== 'chat-completions' || body.includes('"include_usage":true');
  return EVENTS[format]({ parts: [{ text: WORD.repeat(words) }] }, 'billed')
    .filter((event) => asksUsage || !event.includes('"choices":[]'))
    .map((event) =>
      event
        .replace(USAGE.input, `"$1_tokens":${input}`)
        // The start of a message says 1.
        .replace(USAGE.output, event.includes('message_start') ? '$&' : `"$1_tokens":${output}`)
        .replace(/"(cached_tokens|cache_read_input_tokens)":\d+/g, '"$1":0')
        .replace(/"total_tokens":\d+/g, `"total_tokens":${input + output}`),
    );
}
