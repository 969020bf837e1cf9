/** A route over scripted upstreams that fail on request, and clients of each format in front of it. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { ChatEvent } from '../../../../../src/formats/answer.ts';
import type { ApiError } from '../../../../../src/formats/apiError.ts';
import { FORMAT_NAMES, type FormatName } from '../../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../../src/formats/index.ts';
import { ServerSentEventDecoder } from '../../../../../src/formats/serverSentEvents.ts';
import type { RouteSettings } from '../../../../../src/gateway/routing/routes/routeEntry.ts';
import type { RequestHandlerOptions } from '../../../../../src/gateway/server/requestHandlerOptions.ts';
import { chatCompletionEvents } from '../../../../support/modelServer/chatCompletions.ts';
import { messageEvents } from '../../../../support/modelServer/messages.ts';
import type { AskedRequest, Answer as Said, Script } from '../../../../support/modelServer/modelServer.ts';
import { responseEvents } from '../../../../support/modelServer/responses.ts';
import { runs } from '../../../../support/randomRuns.ts';
import { type Answer, LOCAL_KEY, open, send } from '../../support/client.ts';
import { type Behind, type RunningRouter, startRouter } from '../../support/routed.ts';
import { caseOf, titleOf } from './cases.ts';

/** Every format in front of every format, including the same one. */
export const ALL_PAIRS = FORMAT_NAMES.flatMap((caller) => FORMAT_NAMES.map((upstream) => ({ caller, upstream })));

/**
 * Tests a case with a third of the pairs, so that each case meets each format on both sides, and all pairs are met by
 * any three cases. With `TEST_RUNS`, tests it with all of them.
 */
export function itInTurn({ caller, upstream }: (typeof ALL_PAIRS)[number], does: string, test: () => Promise<void>) {
  const turn = FORMAT_NAMES.indexOf(caller) + FORMAT_NAMES.indexOf(upstream) + caseOf(does).number;
  if (turn % FORMAT_NAMES.length === 0 || runs(1) > 1) it(titleOf(does), test);
}

export const HELLO = { parts: [{ text: 'Hello from the other one.' }] };
export const EVENTS = {
  'chat-completions': chatCompletionEvents,
  messages: messageEvents,
  responses: responseEvents,
};

/** The clock with which undici measures timeouts of upstreams. */
const timers: { tick(ms: number): void } = createRequire(import.meta.url)('undici/lib/util/timers.js');

export function passMinutes(minutes: number): void {
  // The first step only starts timers that were set since the last one.
  timers.tick(1_000);
  timers.tick(minutes * 60_000);
}

/** Returns an error in an upstream's own format. */
export function errorBody(format: FormatName, error: ApiError): unknown {
  return wireFormats[format].encodeError(error).body;
}

export function refusal(format: FormatName, error: ApiError, headers: Readonly<Record<string, string>> = {}): Said {
  const { status, body } = wireFormats[format].encodeError(error);
  return { status, body, headers };
}

/** Returns the stream event for an error, as sent by servers of the format. */
export function errorEvent(format: FormatName, error: ApiError): string {
  const body = errorBody(format, error) as { error: Record<string, unknown> };
  if (format === 'chat-completions') return `data: ${JSON.stringify(body)}\n\n`;
  const data = format === 'messages' ? body : { ...body.error, type: 'error', error: body.error };
  return `event: error\ndata: ${JSON.stringify(data)}\n\n`;
}

export interface Asked {
  readonly stream?: boolean;
  readonly model?: string;
  readonly content?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly members?: Readonly<Record<string, unknown>>;
}

/** An answer as the client reads it. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: Answer['headers'];
  readonly raw: string;
  readonly text: string;
  readonly isFinished: boolean;
  readonly error: ApiError | undefined;
  readonly events: readonly ChatEvent[];
}

export interface FaultyRoute extends RunningRouter {
  ask(asked?: Asked): Promise<ReadAnswer>;
  /** Sends a request without reading its answer. */
  open(asked?: Asked): ClientRequest;
  /** Returns the requests for answers that the nth upstream has received. */
  asked(nth: number): readonly AskedRequest[];
}

export type RouteOptions = Partial<RouteSettings> & {
  readonly upstreams?: Partial<Behind>;
  readonly gateway?: Partial<RequestHandlerOptions>;
};

/** Starts a route `r` over one upstream for each script, all of one format. */
export async function startRoute(
  { caller, upstream }: { caller: FormatName; upstream: FormatName },
  scripts: readonly Script[],
  { upstreams, gateway, ...route }: RouteOptions = {},
): Promise<FaultyRoute> {
  const members = scripts.map((script) => ({ formats: [upstream], ...upstreams, script }));
  const use = scripts.map((_, nth) => `server${nth}/m${nth}`);
  const running = await startRouter(members, {}, gateway, { r: { use, ...route } });
  const call = (asked: Asked = {}) => ({
    port: running.port,
    path: `/api/v1${wireFormats[caller].path}`,
    headers: { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json', ...asked.headers },
    body: question(caller, asked),
  });
  return {
    ...running,
    ask: async (asked) => readAnswer(caller, await send(call(asked))),
    open: (asked) => {
      const request = open(call(asked)).on('error', () => undefined);
      request.end(call(asked).body);
      return request;
    },
    asked: (nth) => running.servers[nth]?.requests.filter(({ format }) => format !== undefined) ?? [],
  };
}

function question(caller: FormatName, { stream = true, model = 'r', content = 'Hi', members }: Asked): string {
  const limit = caller === 'messages' ? { max_tokens: 100 } : {};
  const said = [{ role: 'user', content }];
  const conversation = caller === 'responses' ? { input: said } : { messages: said };
  return JSON.stringify({ model, stream, ...limit, ...conversation, ...members });
}

export function readAnswer(caller: FormatName, { status, headers, body }: Answer): ReadAnswer {
  const raw = body.toString();
  const read = { status, headers, raw };
  const format = wireFormats[caller];
  if (String(headers['content-type']).startsWith('text/event-stream')) {
    const bytes = new ServerSentEventDecoder();
    const decoder = format.createStreamDecoder();
    const read2 = [...bytes.push(body), ...bytes.end()].flatMap((event) => decoder.push(format.parseEvent(event)));
    const events = [...read2, ...decoder.end()];
    const error = events.find((event) => event.type === 'error')?.error;
    const isFinished = events.some(({ type }) => type === 'finish') && error === undefined;
    return { ...read, text: textOf(events), isFinished, error, events };
  }
  const error = status >= 400 ? format.decodeError(JSON.parse(raw)) : undefined;
  if (status >= 400) return { ...read, text: '', isFinished: false, error, events: [] };
  const { parts } = format.decodeResponse(JSON.parse(raw));
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { ...read, text, isFinished: true, error, events: [] };
}

function textOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'textDelta' ? event.text : '')).join('');
}

/** Resolves with the first event of a response's stream when the client has received it. */
export function firstData(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve) => answer.once('data', (chunk: Buffer) => resolve(chunk.toString())));
}
