/** Streamed answers as async iterables of validated events. */
import * as l10n from '@vscode/l10n';
import { FormatError } from '../formats/apiError.ts';
import { isRecord } from '../formats/json.ts';
import { type ServerSentEvent, ServerSentEventDecoder } from '../formats/serverSentEvents.ts';
import type { StreamItem } from '../formats/wireFormat.ts';
import { tooLong } from './jsonAnswer.ts';
import { ServiceError } from './serviceError.ts';
import type { OpenAnswer } from './transport.ts';

/**
 * A streamed answer, which can be iterated once. Leaving the loop early or aborting the call's signal closes the
 * connection. Iterating throws a {@link ServiceError} of kind `network` if the connection is lost, and of kind
 * `timeout` if no data arrives for too long. There is no limit on the total time.
 */
export class EventStream<Event> implements AsyncIterable<StreamItem<Event>> {
  readonly #items: AsyncGenerator<StreamItem<Event>, void, undefined>;
  readonly #close: () => void;

  constructor({ control }: Pick<OpenAnswer, 'control'>, items: AsyncGenerator<StreamItem<Event>, void, undefined>) {
    this.#items = items;
    this.#close = () => control.close();
  }

  [Symbol.asyncIterator](): AsyncGenerator<StreamItem<Event>, void, undefined> {
    return this.#items;
  }

  /** Closes the connection of a stream that will not be iterated. */
  cancel(): void {
    this.#close();
  }
}

/** How long the response may take to end after its last event. If it ends by itself, its connection can be reused. */
const LINGER_MS = 250;

/** The last event of each format; for chat completions, the item `done` marks the end instead. */
const LAST_EVENTS: ReadonlySet<unknown> = new Set([
  'message_stop',
  'response.completed',
  'response.incomplete',
  'response.failed',
  'error',
]);

/**
 * Reads the body of an event stream. All bytes count as activity, including comments and pings.
 * @param stallMs the longest time without data.
 */
export async function* readItems<Event>(
  answer: OpenAnswer,
  parse: (event: ServerSentEvent) => StreamItem<Event>,
  stallMs: number,
): AsyncGenerator<StreamItem<Event>, void, undefined> {
  const decoder = new ServerSentEventDecoder();
  const reader = answer.response.body?.getReader();
  let complete = false;
  try {
    while (reader !== undefined) {
      const bytes = complete ? await lastBytes(answer, reader) : await nextBytes(answer, reader, stallMs);
      for (const event of bytes === undefined ? decoder.end() : eventsIn(bytes, decoder, answer)) {
        if (complete) break;
        const item = parse(event);
        yield item;
        complete = isLast(item);
      }
      if (bytes === undefined) return;
    }
  } finally {
    answer.control.close();
  }
}

/** @throws {ServiceError} if an event is too long. */
function eventsIn(
  bytes: Uint8Array,
  decoder: ServerSentEventDecoder,
  { host, requestId }: OpenAnswer,
): ServerSentEvent[] {
  try {
    return decoder.push(bytes);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new ServiceError({ kind: 'malformed', message: tooLong(host), requestId }, { cause: error });
  }
}

export async function* itemsOf<Event>(
  items: readonly StreamItem<Event>[],
): AsyncGenerator<StreamItem<Event>, void, undefined> {
  yield* items;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** @returns undefined at the end of the body. */
async function nextBytes(answer: OpenAnswer, reader: Reader, stallMs: number): Promise<Uint8Array | undefined> {
  const { control, host } = answer;
  try {
    return (await control.within(stallMs, () => stalled(answer, stallMs), reader.read())).value;
  } catch (error) {
    control.signal.throwIfAborted();
    const message = l10n.t('The connection to {0} was lost during the answer.', host);
    throw new ServiceError({ kind: 'network', message, requestId: answer.requestId }, { cause: error });
  }
}

/** Reads the rest of the body. The answer is complete, so failures of its connection no longer matter. */
async function lastBytes({ control }: OpenAnswer, reader: Reader): Promise<Uint8Array | undefined> {
  const enough = new Error('The answer is complete.');
  const read = control.within(LINGER_MS, () => enough, reader.read());
  return read.then(
    ({ value }) => value,
    () => undefined,
  );
}

function isLast<Event>(item: StreamItem<Event>): boolean {
  return item.type === 'done' || (item.type === 'event' && isRecord(item.event) && LAST_EVENTS.has(item.event.type));
}

function stalled({ host, requestId }: OpenAnswer, stallMs: number): ServiceError {
  const message = l10n.t('{0} sent nothing for {1} seconds during the answer.', host, Math.round(stallMs / 1000));
  return new ServiceError({ kind: 'timeout', message, requestId });
}
