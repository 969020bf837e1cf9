/** The steps in which an answer is delivered, complete or streamed, including a requested fault. */

import { type ChatEvent, type ChatResponse, responseEvents, writtenText } from '../../../formats/answer.ts';
import type { ApiError } from '../../../formats/apiError.ts';
import type { AssistantPart } from '../../../formats/conversation.ts';
import { formatServerSentEvent, type ServerSentEvent } from '../../../formats/serverSentEvents.ts';
import type { Usage } from '../../../formats/usage.ts';
import type { StreamEncoder } from '../../../formats/wireFormat.ts';
import type { Course } from '../../../sandbox/faultNames.ts';
import { estimateTokens } from '../../../tokens/estimate.ts';
import type { Step } from './delivery.ts';
import type { Headers } from './rateLimits.ts';

/** A prepared answer is streamed slower by this factor, so that it can be read while it arrives. */
const READING_PACE = 2.5;
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
  readonly isPrepared: boolean;
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
  const { response, isPrepared, usage, course, settle } = answer;
  const ownPaceMs = isPrepared ? paceMs * READING_PACE : paceMs;
  const output = new Output(response.parts);
  let complete = false;
  try {
    yield* delaySteps(course);
    yield { type: 'start', status: 200, headers: { ...EVENT_STREAM, ...answer.headers } };
    const pace = course === 'slow' ? Math.max(SLOW_PACE_MS, ownPaceMs) : ownPaceMs;
    complete = yield* play(response, encoder, output, course, pace);
  } finally {
    settle(complete ? usage : { ...usage, outputTokens: output.tokens() }, complete);
  }
  if (!complete) return;
  const closing = [...responseEvents(response)].filter(isClosing);
  yield* send([...closing.flatMap((event) => encoder.push(event)), ...encoder.end()]);
}

/** @returns whether all events were sent, or false if the fault has ended the stream. */
function* play(
  response: ChatResponse,
  encoder: StreamEncoder,
  output: Output,
  course: Course | undefined,
  paceMs: number,
): Generator<Step, boolean> {
  const faultAt = course === undefined ? -1 : faultPosition(course, response);
  let position = -1;
  for (const event of bodyEvents(response)) {
    position += 1;
    if (position > 0 && paceMs > 0) yield { type: 'wait', ms: paceMs };
    output.add(event);
    const sent = encoder.push(event);
    yield* send(sent);
    if (position === faultAt) yield* injectFault(course, encoder, sent.at(-1));
    if (position === faultAt && (course === 'truncate' || course === 'error-event')) return false;
  }
  return true;
}

function faultPosition(course: Course, response: ChatResponse): number {
  let count = 0;
  for (const _ of bodyEvents(response)) count += 1;
  return course === 'stall' ? Math.min(BEFORE_STALL, count - 1) : count >> 1;
}

/**
 * The events of an answer without its end, in pieces. They are made one by one as they are sent: those of a long answer
 * take megabytes, and hundreds of clients may read slowly.
 */
function* bodyEvents(response: ChatResponse): Generator<ChatEvent> {
  for (const event of responseEvents(response)) if (!isClosing(event)) yield* inPieces(event);
}

function isClosing({ type }: ChatEvent): boolean {
  return type === 'usage' || type === 'finish';
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
function* inPieces(event: ChatEvent): Generator<ChatEvent> {
  switch (event.type) {
    case 'textDelta':
    case 'reasoningDelta':
    case 'refusalDelta':
      for (const text of wordsOf(event.text)) yield { ...event, text };
      return;
    case 'toolCallDelta':
      for (const piece of wordsOf(event.arguments)) yield { ...event, arguments: piece };
      return;
    default:
      yield event;
  }
}

function* wordsOf(text: string): Generator<string> {
  for (const [word] of text.matchAll(/\s*\S{1,24}|\s+$/gu)) yield word;
}

/** How much of an answer was generated so far, for charging one that is cut off. */
class Output {
  readonly #parts: readonly AssistantPart[];
  /** The number of characters of each part. */
  readonly #lengths: number[] = [];

  constructor(parts: readonly AssistantPart[]) {
    this.#parts = parts;
  }

  add(event: ChatEvent): void {
    if (!('index' in event)) return;
    this.#lengths[event.index] = (this.#lengths[event.index] ?? 0) + lengthOf(event);
  }

  tokens(): number {
    return this.#parts.reduce(
      (total, part, index) => total + estimateTokens(outputOf(part).slice(0, this.#lengths[index] ?? 0)),
      0,
    );
  }
}

function outputOf(part: AssistantPart): string {
  return part.type === 'toolCall' ? `${part.name} ${part.arguments}` : writtenText(part);
}

function lengthOf(event: ChatEvent): number {
  if (event.type === 'toolCallStart') return event.name.length + 1;
  if (event.type === 'toolCallDelta') return event.arguments.length;
  return 'text' in event ? event.text.length : 0;
}
