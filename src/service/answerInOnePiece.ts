/** Reads model answers with a single JSON body. */
import * as l10n from '@vscode/l10n';
import { type ChatResponse, responseEvents } from '../formats/answer.ts';
import { FormatError } from '../formats/apiError.ts';
import type { StreamItem, WireFormat } from '../formats/wireFormat.ts';
import { readJson } from './jsonAnswer.ts';
import { ServiceError } from './serviceError.ts';
import type { OpenAnswer } from './transport.ts';

/**
 * Returns the events of a stream, for a service that answers a stream request with a single body.
 * @throws {ServiceError} of kind `malformed`, with the name of the invalid field.
 */
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

function decode(body: unknown, format: WireFormat, { response: { status }, requestId }: OpenAnswer): ChatResponse {
  try {
    return format.decodeResponse(body);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const message = `${l10n.t('The service’s response is not in the {0} format.', format.name)} ${error.message}`;
    throw new ServiceError({ kind: 'malformed', message, status, requestId }, { cause: error });
  }
}
