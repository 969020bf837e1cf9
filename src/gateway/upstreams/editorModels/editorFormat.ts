import { wireFormats } from '../../../formats/index.ts';
import type { ServerSentEvent } from '../../../formats/serverSentEvents.ts';
import type { StreamItem, WireFormat } from '../../../formats/wireFormat.ts';
import { droppedFromRequest, encodeEditorRequest } from './editorRequest.ts';
import { type EditorEvent, EditorStreamDecoder } from './editorStream.ts';
import type { EditorChatRequest } from './protocol.ts';

const { name, path, decodeRequest, decodeResponse, encodeResponse, droppedFromAnswer, createStreamEncoder } =
  wireFormats.messages;
const { decodeError, encodeError } = wireFormats.messages;

/**
 * The editor's language model API as a wire format, so that requests for its models are translated like all others. It
 * is only used inside the worker. Everything that the API does not define, in particular errors, is taken from the
 * messages format.
 *
 * Does not support what {@link droppedFromRequest} returns. Instructions become user messages. A list of allowed tools,
 * or a single tool to call, becomes the list of offered tools. Temperature, `top_p`, and the token limit are passed as
 * model options, which the model's extension may ignore.
 */
export const editorFormat: WireFormat<EditorChatRequest, unknown, EditorEvent> = {
  name,
  path,
  hasHostedTools: false,
  decodeRequest,
  encodeRequest: encodeEditorRequest,
  droppedFromRequest,
  decodeResponse,
  encodeResponse,
  droppedFromAnswer,
  parseEvent,
  createStreamDecoder: (unnamedId) => new EditorStreamDecoder(unnamedId),
  createStreamEncoder,
  decodeError,
  encodeError,
};

/** The events are created in this thread, so they are not validated. */
function parseEvent({ data }: ServerSentEvent): StreamItem<EditorEvent> {
  return { type: 'event', event: JSON.parse(data) };
}
