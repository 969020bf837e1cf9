import { type ApiError, CUT_ANSWER } from '../../formats/apiError.ts';
import type { FormatName } from '../../formats/conversation.ts';
import { errorSentence } from '../../formats/errorSentence.ts';
import { isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import { failedEvents } from '../../formats/responses/errors.ts';
import { eventsIn, formatServerSentEvent, ServerSentEventDecoder } from '../../formats/serverSentEvents.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { endOfFirstEvent } from '../http/eventBounds.ts';
import { bareErrorIn } from '../usage/answerProgress.ts';
import type { PassedAnswer } from '../usage/passedAnswer.ts';

/** The last event of each format, for streams that omit it. */
const LAST_EVENTS: Readonly<Record<FormatName, string>> = {
  'chat-completions': 'data: [DONE]\n\n',
  messages: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  responses: '',
};

const SEQUENCE_NUMBER = /"sequence_number"\s*:\s*(\d+)/g;

/**
 * Returns what to append to an event stream that was cut off, so that no client considers the answer complete: the
 * format's error event, and in the responses format also its last event for a failed answer, which some clients wait for.
 */
export function failureEvents(format: WireFormat, error: ApiError, answer: PassedAnswer): string {
  const failed = format.name === 'responses' ? failedResponse(error, answer) : undefined;
  const encoder = format.createStreamEncoder({
    request: { model: '', system: [], messages: [] },
    now: Math.floor(Date.now() / 1000),
  });
  return (failed ?? encoder.push({ type: 'error', error })).map(formatServerSentEvent).join('');
}

interface StreamEnd {
  /** Why the stream was cut off. Undefined if it has its end. */
  readonly cut?: ApiError;
  readonly hasFailed?: boolean;
  /** What its client waits for. */
  readonly missing?: string | undefined;
}

/** Returns how an event stream has ended, and what to append to it, so that its client reads the end. */
export function endOfStream(format: WireFormat, answer: PassedAnswer): StreamEnd {
  const { progress } = answer;
  if (progress?.isCut === true) return { cut: errorOfCut(format, progress.lastBytes) };
  if (progress?.hasFailed === true) return { hasFailed: true, missing: missingFailure(format, answer) };
  return progress?.lacksLastEvent === true ? { missing: LAST_EVENTS[format.name] } : {};
}

/** Returns why a stream was cut off: as an error at its end says that is not in an event, else for its connection. */
function errorOfCut(format: WireFormat, lastBytes: Buffer): ApiError {
  const bare = bareErrorIn(lastBytes);
  if (bare === undefined) return { ...CUT_ANSWER, status: 502 };
  const decoded = format.decodeError(bare) ?? { kind: 'server', message: errorSentence(bare) ?? CUT_ANSWER.message };
  return decoded;
}

/**
 * Returns the last event of a failed response, if its service has sent only the error before it, which some agents do not
 * read. Undefined for any other end.
 */
function missingFailure(format: WireFormat, answer: PassedAnswer): string | undefined {
  if (format.name !== 'responses' || answer.lastBytes.includes('"response.failed"')) return undefined;
  const decoder = format.createStreamDecoder();
  const decoded = eventsIn(answer.lastBytes).flatMap((event) => decoder.push(format.parseEvent(event)));
  const failed = decoded.find((event) => event.type === 'error');
  const last = failed && failedResponse(failed.error, answer)?.at(-1);
  return last && formatServerSentEvent(last);
}

/** @returns undefined if no response has begun. */
function failedResponse(error: ApiError, answer: PassedAnswer) {
  answer.readAll();
  const begun = firstResponse(answer.beginning);
  if (begun === undefined) return undefined;
  const numbers = [...answer.lastBytes.toString('latin1').matchAll(SEQUENCE_NUMBER)];
  const last = Number(numbers.at(-1)?.[1] ?? -1);
  return failedEvents(error, begun, last + 1).map((event) => ({ event: event.type, data: JSON.stringify(event) }));
}

/** Returns the response as it was when it began. */
function firstResponse(stream: Buffer): JsonRecord | undefined {
  const [first] = new ServerSentEventDecoder().push(stream.subarray(0, Math.max(0, endOfFirstEvent(stream))));
  const event = first === undefined ? undefined : parseJson(first.data);
  return isRecord(event) && isRecord(event.response) ? event.response : undefined;
}
