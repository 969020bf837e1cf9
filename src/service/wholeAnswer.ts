/** Answers that come as one JSON body. */
import { responseEvents } from '../formats/answer.ts';
import { FormatError } from '../formats/apiError.ts';
import type { ChatResponse } from '../formats/conversation.ts';
import type { StreamItem, WireFormat } from '../formats/wireFormat.ts';
import { excerptOfPage, isErrorBody, looksLikePage } from './errorBody.ts';
import { parseJson } from './json.ts';
import { ServiceError } from './serviceError.ts';
import type { OpenAnswer } from './transport.ts';

/**
 * The body of a success as JSON.
 * @throws {ServiceError} when the body is an error in spite of its status, is not JSON, or breaks off.
 */
export async function readJson(answer: OpenAnswer): Promise<unknown> {
  const text = await readWhole(answer);
  const body = parseJson(text);
  if (isErrorBody(body)) throw ServiceError.fromResponse(answer.response.status, answer.response.headers, text);
  if (body === undefined) throw notJson(text, answer);
  return body;
}

/**
 * An answer of the format, checked but otherwise as it came.
 * @throws {ServiceError} as above, and of kind `malformed` naming the field that does not fit.
 */
export async function readAnswer<Response>(
  answer: OpenAnswer,
  format: WireFormat<unknown, Response>,
): Promise<Response> {
  const body = await readJson(answer);
  decode(body, format, answer);
  return body as Response;
}

/** The events that a stream would have had, from a service that answers a request for a stream in one piece. */
export async function readAnswerAsItems<Event>(
  answer: OpenAnswer,
  format: WireFormat<unknown, unknown, Event>,
  request: unknown,
): Promise<StreamItem<Event>[]> {
  const response = decode(await readJson(answer), format, answer);
  const encoder = format.createStreamEncoder({
    request: format.decodeRequest(request),
    now: response.createdAt ?? Math.floor(Date.now() / 1000),
  });
  const events = [...responseEvents(response)].flatMap((event) => encoder.push(event));
  return [...events, ...encoder.end()].map((event) => format.parseEvent(event));
}

async function readWhole({ response, control, host }: OpenAnswer): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    control.signal.throwIfAborted();
    const message = `The connection to ${host} broke while the answer was coming.`;
    throw new ServiceError({ kind: 'network', message }, { cause: error });
  } finally {
    control.close();
  }
}

function decode(body: unknown, format: WireFormat, { response: { status }, requestId }: OpenAnswer): ChatResponse {
  try {
    return format.decodeResponse(body);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const message = `The service’s answer is not in the ${format.name} format. ${error.message}`;
    throw new ServiceError({ kind: 'malformed', message, status, requestId }, { cause: error });
  }
}

function notJson(text: string, { response: { status }, requestId, host }: OpenAnswer): ServiceError {
  const page = looksLikePage(text)
    ? ` with a web page${titled(text)}`
    : text === ''
      ? ' with nothing'
      : ' with text that is not JSON';
  const message = `${host} answered${page}. Check the base address; it usually ends with /api/v1.`;
  return new ServiceError({ kind: 'malformed', message, status, requestId });
}

function titled(page: string): string {
  const title = excerptOfPage(page);
  return title === undefined ? '' : ` (“${title}”)`;
}
