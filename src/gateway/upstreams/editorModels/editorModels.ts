import type { ChatEvent } from '../../../formats/answer.ts';
import type { ApiError } from '../../../formats/apiError.ts';
import { wireFormats } from '../../../formats/index.ts';
import { decodeCountTokensRequest } from '../../../formats/messages/index.ts';
import { formatServerSentEvent, type ServerSentEvent } from '../../../formats/serverSentEvents.ts';
import type { StreamDecoder, StreamItem, WireFormat } from '../../../formats/wireFormat.ts';
import { invalidOf } from '../../core/callerRequest.ts';
import { answerLater, sendApiError, sendJson } from '../../core/gatewayAnswer.ts';
import type { AnswerSink, MemberSettings, Upstream, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
import { parseJsonBody, readJsonBody } from '../../http/jsonBody.ts';
import { droppedFromRequest, encodeEditorRequest } from './editorRequest.ts';
import type {
  AskEditor,
  EditorAnswer,
  EditorAnswerPart,
  EditorChatRequest,
  EditorModel,
  EditorQuestion,
} from './protocol.ts';

const ID = 'editor';
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
const editorFormat: WireFormat<EditorChatRequest, unknown, EditorEvent> = {
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

/** Returns the models that other extensions offer through the editor, as an upstream of the router. */
export function createEditorModels(ask: AskEditor): MemberSettings {
  return { upstream: new EditorModelsUpstream(ask), models: [`${ID}/*`], format: editorFormat };
}

class EditorModelsUpstream implements Upstream {
  readonly id = ID;
  /** The editor's API has no usage. */
  readonly reportsUsage = 'never';
  readonly #ask: AskEditor;

  constructor(ask: AskEditor) {
    this.#ask = ask;
  }

  send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    switch (request.endpoint) {
      case '/models':
        return answerLater(sink, (signal) => this.#list(sink, signal));
      case '/messages/count_tokens':
        return answerLater(sink, (signal) => this.#count(request, sink, signal));
      default:
        request.onSending?.();
        return new EditorModelCall(this.#ask, parseJsonBody(bodyOf(request)) as EditorChatRequest, sink);
    }
  }

  async close(): Promise<void> {
    // There are no resources to release.
  }

  async #list(sink: AnswerSink, signal: AbortSignal): Promise<() => void> {
    const answer = await this.#once({ kind: 'models' }, signal);
    if (answer.kind !== 'models') return () => sendApiError(sink, editorFormat, problemOf(answer));
    return () => sendJson(sink, 200, { object: 'list', data: answer.models.map(listed) });
  }

  async #count(request: UpstreamRequest, sink: AnswerSink, signal: AbortSignal): Promise<() => void> {
    const chat = readCount(request);
    if ('kind' in chat) return () => sendApiError(sink, editorFormat, chat);
    const answer = await this.#once({ kind: 'count', request: chat }, signal);
    if (answer.kind !== 'tokens') return () => sendApiError(sink, editorFormat, problemOf(answer));
    return () => sendJson(sink, 200, { input_tokens: answer.tokens });
  }

  #once(question: EditorQuestion, signal: AbortSignal): Promise<EditorAnswer> {
    return new Promise((resolve) => {
      const cancel = this.#ask(question, resolve);
      signal.addEventListener('abort', cancel);
    });
  }
}

function bodyOf({ body = Buffer.alloc(0) }: UpstreamRequest): Buffer {
  return body;
}

function readCount(request: UpstreamRequest): EditorChatRequest | ApiError {
  try {
    return encodeEditorRequest(decodeCountTokensRequest(readJsonBody(bodyOf(request))));
  } catch (error) {
    return invalidOf(error);
  }
}

function problemOf(answer: EditorAnswer): ApiError {
  return answer.kind === 'error'
    ? answer.error
    : { kind: 'server', status: 500, message: 'The editor did not respond to the request.' };
}

/** The listed name is the one that requests use. */
function listed({ name, displayName, vendor, maxInputTokens }: EditorModel) {
  return { id: `${ID}/${name}`, display_name: displayName, owned_by: vendor, context_length: maxInputTokens };
}

/** A chat with one of the editor's models, as a stream in {@link editorFormat}. */
class EditorModelCall implements UpstreamCall {
  readonly #sink: AnswerSink;
  readonly #model: string;
  readonly #cancel: () => void;
  /** Answers received while the client was slow, because the editor's models cannot be paused. */
  readonly #held: EditorAnswer[] = [];
  #isPaused = false;
  #hasStarted = false;
  #isOver = false;

  constructor(ask: AskEditor, request: EditorChatRequest, sink: AnswerSink) {
    this.#sink = sink;
    this.#model = request.model;
    this.#cancel = ask({ kind: 'chat', request }, (answer) => this.#receive(answer));
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    while (!this.#isPaused && this.#held.length > 0) this.#pass(this.#held.shift());
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancel();
  }

  #receive(answer: EditorAnswer): void {
    if (this.#isPaused || this.#held.length > 0) this.#held.push(answer);
    else this.#pass(answer);
  }

  #pass(answer: EditorAnswer | undefined): void {
    if (this.#isOver || answer === undefined) return;
    switch (answer.kind) {
      case 'part':
        this.#start();
        this.#write({ type: 'part', part: answer.part });
        return;
      case 'end':
        this.#start();
        this.#write({ type: 'end' });
        this.#isOver = true;
        this.#sink.end();
        return;
      case 'error':
        this.#fail(answer.error);
        return;
    }
  }

  #start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#sink.start(200, { 'content-type': 'text/event-stream' });
    this.#write({ type: 'start', model: this.#model });
  }

  #write(event: EditorEvent): void {
    this.#sink.data(Buffer.from(formatServerSentEvent({ data: JSON.stringify(event) })));
  }

  /**
   * An error before the first byte is sent as a response: the refusal of a model does not mean that the upstream is
   * unavailable.
   */
  #fail(error: ApiError): void {
    this.#isOver = true;
    if (this.#hasStarted) this.#sink.fail(error);
    else sendApiError(this.#sink, editorFormat, error);
  }
}

/** The events are created in this thread, so they are not validated. */
function parseEvent({ data }: ServerSentEvent): StreamItem<EditorEvent> {
  return { type: 'event', event: JSON.parse(data) };
}

type EditorEvent =
  | { readonly type: 'start'; readonly model: string }
  | { readonly type: 'part'; readonly part: EditorAnswerPart }
  | { readonly type: 'end' };

/** Converts the output of an editor's model to events. There is no usage, because the API does not count tokens. */
class EditorStreamDecoder implements StreamDecoder<EditorEvent> {
  readonly #id: string;
  /** Index of the part that the last piece belongs to. */
  #index = -1;
  #type: EditorAnswerPart['type'] | undefined;
  #calls = 0;
  #isOver = false;

  constructor(id = '') {
    this.#id = id;
  }

  push(item: StreamItem<EditorEvent>): ChatEvent[] {
    if (item.type !== 'event') return [];
    const { event } = item;
    switch (event.type) {
      case 'start':
        return [{ type: 'start', id: this.#id, model: event.model }];
      case 'part':
        return this.#part(event.part);
      case 'end':
        this.#isOver = true;
        return [{ type: 'finish', reason: this.#calls > 0 ? 'toolCalls' : 'stop' }];
    }
  }

  end(): ChatEvent[] {
    if (this.#isOver) return [];
    this.#isOver = true;
    return [
      {
        type: 'error',
        error: { kind: 'network', message: 'The editor’s model stopped before its answer was complete.' },
      },
    ];
  }

  #part(part: EditorAnswerPart): ChatEvent[] {
    if (part.type === 'toolCall' || part.type !== this.#type) this.#index += 1;
    this.#type = part.type;
    const index = this.#index;
    switch (part.type) {
      case 'text':
        return [{ type: 'textDelta', index, text: part.text }];
      case 'reasoning':
        return [{ type: 'reasoningDelta', index, text: part.text }];
      case 'toolCall':
        this.#calls += 1;
        return [
          { type: 'toolCallStart', index, id: part.id, name: part.name },
          { type: 'toolCallDelta', index, arguments: JSON.stringify(part.input) },
          { type: 'toolCallEnd', index },
        ];
    }
  }
}
