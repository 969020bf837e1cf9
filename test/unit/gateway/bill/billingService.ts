/**
 * An upstream that answers, reasons, caches, and bills by its own rules, and records what it bills. With a speed, it
 * writes its tokens one after the other, hidden ones first, and bills those that it has written when it stops.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { answerBytes, type Worked } from './billingWire.ts';

/** What the service does with a request. The request contains its number, so that both sides know it. */
export interface Deed {
  readonly format: FormatName;
  readonly isStream: boolean;
  /** In tokens. Cached and written ones are part of the input. */
  readonly input: number;
  readonly cached: number;
  readonly writtenShort: number;
  readonly writtenLong: number;
  /** How often it runs a tool of its own, after which it asks its model again. The input includes all these times. */
  readonly calls?: number;
  /** The input of each time, for a service that obeys `max_tool_calls`. */
  readonly inputs?: readonly number[];
  /** How many calls a stream shows that does not end whole. Default: all. */
  readonly shownCalls?: number;
  /** Whether only the events or blocks of the calls tell how many there were, and neither the last event nor the usage. */
  readonly omitsCalls?: boolean;
  /** Hidden reasoning tokens, and visible output tokens. */
  readonly thought: number;
  readonly words: readonly string[];
  /** Whether it reports usage on request, in formats where usage is optional. */
  readonly reportsUsage: boolean;
  /** How long after its client has left it stops writing. In milliseconds. Default: 0. */
  readonly noticeMs?: number;
  readonly encoding?: 'gzip' | 'deflate' | 'br' | 'zstd';
  /** How it counts chat completions, and where it reports that. Default: as documented. */
  readonly dialect?: Dialect;
  /** Whether it gives a discount, and reports the amount with the usage, or in a header if the answer is not a stream. */
  readonly reportsCost?: 'inUsage' | 'inHeader';
  /** Whether it writes its content types in capitals. */
  readonly hasCapitals?: boolean;
  /**
   * `cut` breaks the connection in the middle, `stall` sends nothing more, `error` reports a failure. Before any
   * output: `refused` answers with 429, `refusedLate` sends the same in a stream, `failed` reports a failure after the
   * stream has started, `silent` ends the stream without output, and `reset` breaks the connection.
   */
  readonly ending: 'whole' | 'cut' | 'stall' | 'error' | 'refused' | 'refusedLate' | 'failed' | 'silent' | 'reset';
}

/**
 * Forms of the usage that services have. `…Beside` leaves tokens out of the counts, but not out of the total; `in…` is
 * where a stream has it.
 */
export const DIALECTS = [
  'documented',
  'reasoningBeside',
  'reasoningUnnamed',
  'cacheBeside',
  'cacheAbove',
  'inChoice',
  'inOwnMember',
  'inLastChunk',
] as const;
export type Dialect = (typeof DIALECTS)[number];

/** The service's own prices, in billionths of a US dollar per token. */
const RATES = {
  input: 3_000,
  cached: 300,
  writtenShort: 3_750,
  writtenLong: 6_000,
  output: 15_000,
  reasoning: 20_000,
} as const;
/** Fees of a search and of a request, in billionths of a US dollar. */
const SEARCH_FEE = 10_000_000;
const REQUEST_FEE = 100_000;
/** The part of its price that it charges where it reports the amount. */
const DISCOUNTED = 0.9;

/** Context windows of its models, in tokens. */
export const WINDOWS = { billed: 200_000, searching: 2_000 } as const;
/** The model that costs more with a long prompt, and how much. Its reasoning and its requests have prices of their own. */
const LONG_PRICED = 'billed';
const LONG_PROMPT = 100;
const LONG = { input: 2, output: 1.5 } as const;

/**
 * Prices as in its list of models, in US dollars per 1M tokens and per 1,000 searches. Prices of cache writes are not
 * listed.
 */
function listed(factor: number) {
  const pricing = { input: 3 * factor, output: 15 * factor, cached_input: 0.3 * factor, web_search: 10 * factor };
  const long = { input_above_100_tokens: 6 * factor, output_above_100_tokens: 22.5 * factor };
  const others = {
    internal_reasoning: 20 * factor,
    internal_reasoning_above_100_tokens: 30 * factor,
    request: 0.0001 * factor,
  };
  return Object.entries(WINDOWS).map(([id, context_window]) => ({
    ...{ id, context_window, max_output_tokens: 64_000 },
    pricing: id === LONG_PRICED ? { ...pricing, ...long, ...others } : pricing,
  }));
}

const COMPRESS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };

const FREE: ReadonlySet<Deed['ending']> = new Set(['refused', 'refusedLate']);
const WORDLESS: ReadonlySet<Deed['ending']> = new Set(['refusedLate', 'failed', 'silent', 'reset']);

/** The reason for the end, the usage, and the end marker. */
const LAST_EVENTS = 3;

export class BillingService {
  /** Amounts by the number of the request, in billionths of a US dollar. */
  readonly bill = new Map<number, number>();
  readonly #deeds: ReadonlyMap<number, Deed>;
  readonly #server: Server;
  /** Factor by which its prices exceed the usual ones. */
  readonly #factor: number;
  readonly #speed: number;

  private constructor(deeds: ReadonlyMap<number, Deed>, factor: number, speed: number) {
    this.#deeds = deeds;
    this.#factor = factor;
    this.#speed = speed;
    // On a busy machine, an idle connection could otherwise be closed just as the next request uses it.
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** @param speed in tokens per second. Default: it takes no time to write. */
  static async start(deeds: ReadonlyMap<number, Deed>, factor = 1, speed = Infinity): Promise<BillingService> {
    const service = new BillingService(deeds, factor, speed);
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get baseAddress(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/v1`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === 'GET') {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data: listed(this.#factor) }));
      return;
    }
    const body = Buffer.concat(chunks).toString();
    const number = Number(/request number (\d+)\./.exec(body)?.[1]);
    const deed = this.#deeds.get(number);
    if (deed === undefined) throw new Error(`Nobody has planned the request ${number}.`);
    this.#work(response, number, obeying(deed, body), body.includes('"include_usage":true'));
  }

  /** Reasoning comes first and is always billed; output is billed as it is written. */
  #work(response: ServerResponse, number: number, deed: Deed, isAskedForUsage: boolean): void {
    if (deed.ending === 'refused') {
      this.bill.set(number, 0);
      response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{"message":"Not now."}}');
      return;
    }
    const said = saidOf(deed);
    const worked: Worked = {
      ...deed,
      said,
      isReported: deed.reportsUsage && (isAskedForUsage || deed.format !== 'chat-completions' || !deed.isStream),
    };
    const cost = FREE.has(deed.ending) ? 0 : costOf(deed, said.length) * this.#factor;
    this.bill.set(number, cost);
    const tokens = deed.thought + said.length;
    const writingMs = FREE.has(deed.ending) ? 0 : (tokens * 1000) / this.#speed;
    const begun = performance.now();
    /** How many tokens it has written by now. */
    const written = () => Math.min(tokens, Math.floor(((performance.now() - begun) * this.#speed) / 1000) || 0);
    if (writingMs > 0) {
      response.on('close', () => {
        if (response.writableFinished || written() === tokens) return;
        this.bill.set(number, cost);
        setTimeout(() => {
          const thought = Math.min(deed.thought, written());
          this.bill.set(number, costOf({ ...deed, thought }, Math.ceil(written() - thought)) * this.#factor);
        }, deed.noticeMs ?? 0);
      });
    }
    if (deed.ending === 'reset') {
      setTimeout(() => response.socket?.destroy(), writingMs);
      return;
    }
    const type = deed.isStream ? 'text/event-stream' : 'application/json';
    const { reportsCost } = deed;
    const plain = answerBytes({ ...worked, ...(reportsCost === 'inUsage' && { cost: cost / 1e9 }) });
    const bytes = deed.encoding === undefined ? plain : COMPRESS[deed.encoding](plain);
    const contentType = deed.hasCapitals ? type.toUpperCase() : type;
    response.writeHead(200, {
      'content-type': contentType,
      ...(deed.encoding && { 'content-encoding': deed.encoding }),
      ...(reportsCost === 'inHeader' && { 'x-litellm-response-cost': String(cost / 1e9) }),
    });
    const end = () => {
      if (deed.ending === 'cut') response.socket?.destroy();
      else if (deed.ending !== 'stall') response.end();
    };
    void writePaced(response, bytes, deed, writingMs).then(end);
  }
}

/** Writes the events of a stream one after the other, after the time for hidden tokens; anything else at its end. */
async function writePaced(
  response: ServerResponse,
  bytes: Buffer,
  { isStream, encoding, thought, words }: Deed,
  writingMs: number,
): Promise<void> {
  const begun = performance.now();
  const until = async (ms: number) => {
    const left = begun + ms - performance.now();
    if (left > 1) await delay(left);
  };
  const pieces = isStream && encoding === undefined && writingMs > 0 ? eventsOf(bytes) : [bytes];
  const hiddenMs = (writingMs * thought) / Math.max(1, thought + words.length);
  for (const [at, piece] of pieces.entries()) {
    await until(hiddenMs + ((writingMs - hiddenMs) * (at + 1)) / pieces.length);
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(piece, resolve));
  }
}

/**
 * The last events are one piece: a gateway waits a second for the usage after the last output, and on a busy machine, two
 * pieces can be further apart.
 */
function eventsOf(bytes: Buffer): string[] {
  const events = bytes.toString().split(/(?<=\n\n)/);
  return [...events.slice(0, -LAST_EVENTS), events.slice(-LAST_EVENTS).join('')];
}

/** Leaves out the calls that the request does not allow. */
function obeying(deed: Deed, body: string): Deed {
  const { inputs, calls = 0, shownCalls = calls } = deed;
  const limit = Number(/"max_tool_calls":(\d+)/.exec(body)?.[1] ?? Number.POSITIVE_INFINITY);
  if (inputs === undefined || calls <= limit) return deed;
  const input = inputs.slice(0, 1 + limit).reduce((sum, tokens) => sum + tokens, 0);
  return { ...deed, input, calls: limit, shownCalls: Math.min(shownCalls, limit) };
}

/**
 * Returns what a model of this speed would have billed in addition, in the time that an answer took longer than its model.
 * On a busy machine, all answers do.
 */
export function lateCost(deed: Deed, tookMs: number, speed: number): number {
  const lateMs = tookMs - (1000 * (deed.thought + saidOf(deed).length)) / speed;
  const tokens = Math.max(0, Math.floor((lateMs * speed) / 1000));
  return costOf({ ...deed, thought: deed.thought + tokens }, 0) - costOf(deed, 0);
}

/** What it says of its words. */
function saidOf({ words, ending }: Deed): readonly string[] {
  if (ending === 'whole') return words;
  return WORDLESS.has(ending) ? [] : words.slice(0, Math.ceil(words.length / 2));
}

function costOf({ reportsCost, ...deed }: Deed, said: number): number {
  const listed = listedCostOf(deed, said);
  return reportsCost === undefined ? listed : Math.round(listed * DISCOUNTED);
}

function listedCostOf({ input, cached, writtenShort, writtenLong, thought, calls }: Deed, said: number): number {
  const fresh = input - cached - writtenShort - writtenLong;
  const read =
    fresh * RATES.input + cached * RATES.cached + writtenShort * RATES.writtenShort + writtenLong * RATES.writtenLong;
  // The model with tools has no other prices.
  if (calls !== undefined) return read + (thought + said) * RATES.output + calls * SEARCH_FEE;
  const written = thought * RATES.reasoning + said * RATES.output;
  return REQUEST_FEE + (input > LONG_PROMPT ? read * LONG.input + written * LONG.output : read + written);
}
