/** Sends planned requests through a gateway and compares its ledger with the bill of the service behind it. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { UpstreamAttempt } from '../../../../src/ledger/upstreamAttempt.ts';
import { type Deed, DIALECTS, type Dialect } from './billingService.ts';
import { namesReasoning } from './billingWire.ts';

/** One request: what the client and the service do. */
export interface Planned {
  readonly number: number;
  readonly caller: FormatName;
  readonly deed: Deed;
  /** Whether the client disconnects, as soon as it has read something or this many pieces of the answer. */
  readonly leaves: boolean;
  readonly leavesAfter?: number;
  readonly maxTokens: number;
  /** The model and further members of the request. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The ledger's row of one request. */
export interface Row {
  readonly cost: number | null;
  readonly isEstimated: boolean;
  readonly ended: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly durationMs: number;
  readonly upstream: string;
  /** Part of `cost`. */
  readonly attemptsCost: number;
  readonly attempts: readonly UpstreamAttempt[];
}

/** Returns a deterministic random generator: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Words of one token each in public tokenizers, and in most others. */
const WORDS = [' time', ' people', ' water', ' house', ' number', ' part', ' place', ' work', ' point', ' hand'];

export function planRequests(
  count: number,
  random: () => number,
  isNative: (format: FormatName) => boolean,
): Planned[] {
  const below = (limit: number) => Math.floor(random() * limit);
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return Array.from({ length: count }, (_, number) => {
    const caller = oneOf(FORMAT_NAMES);
    const isStream = random() < 0.7;
    const input = 40 + below(100);
    const cached = random() < 0.4 ? below(20) : 0;
    const format = isNative(caller) ? caller : 'chat-completions';
    const isMessages = format === 'messages';
    const writtenShort = random() < 0.3 ? below(10) : 0;
    const writtenLong = random() < 0.2 && format !== 'responses' ? below(10) : 0;
    const words = Array.from({ length: 1 + below(60) }, () => oneOf(WORDS));
    const thought = random() < 0.3 ? below(200) : 0;
    const ending = isStream
      ? oneOf(['whole', 'whole', 'whole', 'cut', 'error', 'refused', 'stall'] as const)
      : oneOf(['whole', 'whole', 'refused'] as const);
    const encoding =
      random() < 0.15 && ending === 'whole' ? oneOf(['gzip', 'deflate', 'br', 'zstd'] as const) : undefined;
    const reportsUsage = random() < 0.8 || (isMessages && !isStream);
    const deed: Deed = {
      format,
      isStream,
      input,
      cached,
      writtenShort,
      writtenLong,
      thought,
      words,
      reportsUsage,
      ending,
      dialect: DIALECTS[number % DIALECTS.length] as Dialect,
      ...(number % 7 === 0 && { reportsCost: isStream || number % 2 === 0 ? 'inUsage' : 'inHeader' }),
      hasCapitals: number % 5 === 0,
      ...(encoding && { encoding }),
    };
    return { number, caller, deed, leaves: ending === 'stall', maxTokens: 400 };
  });
}

/** How long services write on after their client has left: not at all, until they notice, or to the end. */
const NOTICES_MS = [0, 2_000, 60_000];

/** An answer that a client reads for a while before it leaves is this many times as long as the others. */
const LONGER = 24;

/**
 * Returns the requests to a service that needs time. Where the client leaves, it is still writing. The first requests are
 * answered, so that its speed is known.
 */
export function withTime(planned: readonly Planned[], known: number): Planned[] {
  return planned.map((each): Planned => {
    const { number, deed, leaves } = each;
    const noticeMs = NOTICES_MS[number % NOTICES_MS.length] ?? 0;
    const timed = { ...deed, noticeMs };
    if (number >= known && !leaves) return { ...each, deed: timed };
    const words = Array.from({ length: number < known ? 4 : LONGER }, () => [...deed.words, ...WORDS]).flat();
    if (number < known)
      return { ...each, leaves: false, deed: { ...timed, words, ending: 'whole', reportsUsage: true } };
    const long: Deed = { ...timed, words, ending: 'whole', reportsUsage: false };
    return { ...each, deed: long, maxTokens: 4_000, leavesAfter: Math.ceil(words.length / 2) };
  });
}

/** Whether a usage like this leaves open how much of the output was reasoning, which has a price of its own. */
export function hidesReasoning({ format, dialect = 'documented', reportsCost, ...deed }: Deed): boolean {
  if (reportsCost !== undefined || format !== 'chat-completions') return false;
  return !namesReasoning(dialect, deed);
}

/** Tokens of a request beside its sentences. */
const FRAME = 25;

const AGENT = new Agent({ keepAlive: true, maxSockets: 64 });

/** @returns the status, or undefined if the client did not wait for it. */
export async function ask(
  port: number,
  key: string,
  { number, caller, deed, leaves, leavesAfter = 1, maxTokens, more }: Planned,
): Promise<number | undefined> {
  // Services count the same text differently, but not at random.
  const text = `This is request number ${number}. ${'Say what you know of it. '.repeat(Math.ceil((deed.input - FRAME) / 7))}`;
  const marked = deed.writtenLong > 0 ? { cacheHint: { ttl: '1h' } } : deed.writtenShort > 0 ? { cacheHint: {} } : {};
  const body = wireFormats[caller].encodeRequest({
    model: 'billed',
    system: [],
    messages: [{ role: 'user', parts: [{ type: 'text', text, ...marked }] }],
    maxTokens,
    stream: deed.isStream,
  }) as Record<string, unknown>;
  delete body.stream_options;
  Object.assign(body, more);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'user-agent': `n${number}` };
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/api/v1${wireFormats[caller].path}`,
    headers,
    agent: AGENT,
  });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  if (leaves) {
    if ((response.statusCode ?? 0) < 400) await readEvents(response, leavesAfter);
    response.destroy();
    return response.statusCode;
  }
  response.resume();
  await once(response, 'close').catch(() => undefined);
  return response.statusCode;
}

/** Reads this many events, or all if there are fewer. */
async function readEvents(response: IncomingMessage, count: number): Promise<void> {
  let read = 0;
  for await (const piece of response.iterator({ destroyOnReturn: false })) {
    read += String(piece).split('\n\n').length - 1;
    if (read >= count) return;
  }
}

/** Returns rows by the number of the request, which is the name of its client. */
export function rowsOf(path: string): Map<number, Row> {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare('SELECT * FROM exchanges').all();
  database.close();
  return new Map(
    rows.map((row) => [
      Number(String(row.client).slice(1)),
      {
        cost: row.cost === null ? null : Number(row.cost),
        isEstimated: row.usage_is_estimated === 1,
        ended: String(row.ended),
        inputTokens: Number(row.input_tokens),
        outputTokens: Number(row.output_tokens),
        durationMs: Number(row.duration_ms),
        upstream: String(row.upstream),
        attemptsCost: Number(row.attempts_cost ?? 0),
        attempts: JSON.parse(String(row.attempts ?? '[]')),
      },
    ]),
  );
}
