/** The steps in which an answer is delivered, complete or streamed, including a requested fault. */
import { responseEvents } from '../../../formats/answer.ts';
import type { ApiError } from '../../../formats/apiError.ts';
import type { ChatEvent, ChatResponse, Usage } from '../../../formats/conversation.ts';
import { formatServerSentEvent, type ServerSentEvent } from '../../../formats/serverSentEvents.ts';
import type { StreamEncoder } from '../../../formats/wireFormat.ts';
import { estimateTokens } from '../../../tokens/estimate.ts';
import type { Step } from './delivery.ts';
import type { Course } from './faults.ts';
import type { Headers } from './rateLimits.ts';

const SLOW_START_MS = 1_000;
const SLOW_PACE_MS = 120;
/** Number of events before a stall. */
const BEFORE_STALL = 5;

const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

const BROKEN: ApiError = {
  kind: 'network',
  message: 'The connection broke in the middle of the answer, as requested.',
};
const FAILED: ApiError = {
  kind: 'overloaded',
  message: 'The service failed in the middle of the answer. (Sandbox fault error-event, as requested.)',
};

/** A model's answer, before it is encoded in a format. */
export interface Answer {
  readonly response: ChatResponse;
  readonly usage: Usage;
  readonly headers: Headers;
  readonly course: Course | undefined;
  /**
   * Called once, before the client can know that the answer is complete, with the usage of the generated output.
   * `complete` is false if the client has disconnected or the answer was cut off.
   */
  readonly settle: (usage: Usage, complete: boolean) => void;
}

/** Returns the steps of an answer that is not streamed; `body` is the answer in the caller's format. */
export function* wholeSteps({ usage, headers, course, settle }: Answer, body: unknown): Generator<Step, void> {
  let complete = false;
  try {
    yield* delaySteps(course);
    complete = true;
  } finally {
    settle(complete ? usage : { ...usage, outputTokens: 0 }, complete);
  }
  yield* jsonSteps(200, headers, body, course);
}

/** @param paceMs pause before each event. */
export function* streamSteps(answer: Answer, encoder: StreamEncoder, paceMs: number): Generator<Step, void> {
  const { usage, course, settle } = answer;
  const events = [...responseEvents(answer.response)].flatMap(inPieces);
  const closing = events.filter(({ type }) => type === 'usage' || type === 'finish');
  const output = new Output();
  let complete = false;
  try {
    yield* delaySteps(course);
    yield { type: 'start', status: 200, headers: { ...EVENT_STREAM, ...answer.headers } };
    const pace = course === 'slow' ? Math.max(SLOW_PACE_MS, paceMs) : paceMs;
    const body = events.slice(0, events.length - closing.length);
    complete = yield* play(body, encoder, output, course, pace);
  } finally {
    settle(complete ? usage : { inputTokens: usage.inputTokens, outputTokens: output.tokens() }, complete);
  }
  if (complete) yield* send([...closing.flatMap((event) => encoder.push(event)), ...encoder.end()]);
}

/** @returns whether all events were sent, or false if the fault has ended the stream. */
function* play(
  events: readonly ChatEvent[],
  encoder: StreamEncoder,
  output: Output,
  course: Course | undefined,
  paceMs: number,
): Generator<Step, boolean> {
  const faultAt = course === 'stall' ? Math.min(BEFORE_STALL, events.length - 1) : events.length >> 1;
  for (const [position, event] of events.entries()) {
    if (position > 0 && paceMs > 0) yield { type: 'wait', ms: paceMs };
    output.add(event);
    const sent = encoder.push(event);
    yield* send(sent);
    if (position === faultAt) yield* injectFault(course, encoder, sent.at(-1));
    if (position === faultAt && (course === 'truncate' || course === 'error-event')) return false;
  }
  return true;
}

/** Sends a JSON body, which is broken if the fault requires it. */
export function* jsonSteps(status: number, headers: Headers, body: unknown, course?: Course): Generator<Step, void> {
  const text = JSON.stringify(course === 'malformed' ? { malformed: 'As requested of the sandbox.' } : body);
  const length = course === 'truncate' ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  yield { type: 'start', status, headers: { 'content-type': 'application/json', ...length, ...headers } };
  const broken = course === 'stall' || course === 'cut' || course === 'truncate';
  yield { type: 'data', chunk: broken ? text.slice(0, text.length / 2) : text };
  if (course === 'stall') yield { type: 'silence' };
  if (course === 'cut') yield { type: 'fail', error: BROKEN };
}

/** The pause before the first byte of a slow answer. */
export function* delaySteps(course: Course | undefined): Generator<Step, void> {
  if (course === 'slow') yield { type: 'wait', ms: SLOW_START_MS };
}

/** Applies the fault in the middle of a stream. Does nothing for other faults. */
function* injectFault(
  course: Course | undefined,
  encoder: StreamEncoder,
  last: ServerSentEvent | undefined,
): Generator<Step, void> {
  if (course === 'stall') yield { type: 'silence' };
  if (course === 'cut') yield { type: 'fail', error: BROKEN };
  if (course === 'error-event') yield* send([...encoder.push({ type: 'error', error: FAILED }), ...encoder.end()]);
  if (course === 'malformed') yield* send([{ ...last, data: '{"malformed": "as requested of the sandbox", ' }]);
}

function* send(events: readonly ServerSentEvent[]): Generator<Step, void> {
  if (events.length > 0) yield { type: 'data', chunk: events.map(formatServerSentEvent).join('') };
}

/** Splits an event into several: one delta for each word. Splits long words between characters. */
function inPieces(event: ChatEvent): readonly ChatEvent[] {
  switch (event.type) {
    case 'textDelta':
    case 'reasoningDelta':
    case 'refusalDelta':
      return wordsOf(event.text).map((text) => ({ ...event, text }));
    case 'toolCallDelta':
      return wordsOf(event.arguments).map((piece) => ({ ...event, arguments: piece }));
    default:
      return [event];
  }
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\s*\S{1,24}|\s+$/gu) ?? [];
}

/** The output generated so far by part, for charging an answer that is cut off. */
class Output {
  readonly #parts: string[] = [];

  add(event: ChatEvent): void {
    if (!('index' in event)) return;
    this.#parts[event.index] = (this.#parts[event.index] ?? '') + textIn(event);
  }

  tokens(): number {
    return this.#parts.reduce((total, text) => total + estimateTokens(text), 0);
  }
}

function textIn(event: ChatEvent): string {
  if (event.type === 'toolCallStart') return `${event.name} `;
  if (event.type === 'toolCallDelta') return event.arguments;
  return 'text' in event ? event.text : '';
}
