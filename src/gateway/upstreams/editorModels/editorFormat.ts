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
 * The editor's language model API as a format, so that requests for its models take the road of every translation. It
 * stays inside the worker: nobody outside speaks it. What is not its own, the errors above all, is the messages
 * format's.
 *
 * Cannot carry what {@link droppedFromRequest} names. Instructions become messages of the user. A list of allowed tools, or a
 * single tool to call, becomes the tools offered. Temperature, `top_p` and the limit of tokens go along as options of
 * the model, which its extension may heed or not.
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

/** The events are written in this thread: there is nothing to check. */
function parseEvent({ data }: ServerSentEvent): StreamItem<EditorEvent> {
  return { type: 'event', event: JSON.parse(data) };
}
