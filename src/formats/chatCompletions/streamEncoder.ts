import type { ChatEvent } from '../answer.ts';
import { type ApiError, CUT_ANSWER } from '../apiError.ts';
import { CITATIONS } from '../dropped.ts';
import { encodeLogProbs } from '../logProbs.ts';
import type { ServerSentEvent } from '../serverSentEvents.ts';
import type { Usage } from '../usage.ts';
import type { AnswerContext, StreamEncoder } from '../wireFormat.ts';
import { AnnotationList } from './annotations.ts';
import { encodeImage, encodeSeal } from './content.ts';
import { TOOL_CALLS } from './dropped.ts';
import { encodeError } from './errors.ts';
import { encodeAnswerId, encodeFinishReason } from './response.ts';
import type { ChatCompletionsEvent, WireDelta } from './schema.ts';
import { NO_ARGUMENTS } from './tools.ts';
import { encodeUsage } from './usage.ts';

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;

interface OpenChatCall {
  /** Position among the tool calls, which this format numbers separately. */
  readonly place: number;
  readonly freeForm: boolean;
  hasArguments: boolean;
}

const DONE: ServerSentEvent = { data: '[DONE]' };

/** Encodes neutral events as chunks, with the usage chunk only if the request asked for it. */
export class ChatCompletionsStreamEncoder implements StreamEncoder {
  readonly dropped = new Set<string>();
  readonly #context: AnswerContext;
  readonly #includeUsage: boolean;
  readonly #isOlder: boolean;
  #head: Pick<ChatCompletionsEvent, 'id' | 'object' | 'created' | 'model'> = {};
  #usage: Usage | undefined;
  #finished = false;
  #closed = false;
  readonly #calls = new Map<number, OpenChatCall>();
  readonly #reasoningParts: number[] = [];
  readonly #annotations = new AnnotationList();

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#includeUsage = context.request.includeUsage === true;
    this.#isOlder = context.request.olderCalls === true;
  }

  push(event: ChatEvent): ServerSentEvent[] {
    if (this.#closed) return [];
    if (event.type === 'usage') return this.#count(event.usage);
    if (event.type === 'error') return this.#fail(event.error);
    return this.#finished ? [] : this.#answer(event);
  }

  end(): ServerSentEvent[] {
    if (this.#closed) return [];
    return this.#finished ? this.#close() : this.#fail(CUT_ANSWER);
  }

  #answer(event: Exclude<ChatEvent, EventOf<'usage' | 'error'>>): ServerSentEvent[] {
    switch (event.type) {
      case 'start':
        return this.#start(event);
      case 'textDelta':
        return this.#text(event);
      case 'refusalDelta':
        return event.text === '' ? [] : this.#delta({ refusal: event.text });
      case 'reasoningDelta':
        return event.text === '' ? [] : this.#reasoning(event);
      case 'reasoningSeal':
        return this.#seal(event);
      case 'toolCallStart':
        return this.#startCall(event);
      case 'toolCallDelta':
        return this.#continueCall(event.index, event.arguments);
      case 'toolCallEnd':
        return this.#endCall(event.index);
      case 'image':
        return this.#delta({ images: [encodeImage(event)] });
      case 'finish':
        return this.#finish(event);
      case 'citation':
        if (!this.#annotations.add(event.index, event)) this.dropped.add(CITATIONS);
        return [];
      case 'malformed':
        return [];
    }
  }

  #start({ id, model, createdAt }: EventOf<'start'>): ServerSentEvent[] {
    const created = Math.floor(createdAt ?? this.#context.now);
    this.#head = { id: encodeAnswerId(id), object: 'chat.completion.chunk', created, model };
    return this.#delta({ role: 'assistant', content: '' });
  }

  #text({ index, text, logProbs }: EventOf<'textDelta'>): ServerSentEvent[] {
    this.#annotations.addText(index, text.length);
    if (logProbs === undefined) return text === '' ? [] : this.#delta({ content: text });
    const logprobs = { content: encodeLogProbs(logProbs), refusal: null };
    return [this.#chunk({ choices: [{ index: 0, delta: { content: text }, logprobs, finish_reason: null }] })];
  }

  /** Writes reasoning. The details repeat the text, because clients send them back as they assembled them. */
  #reasoning({ index, text }: EventOf<'reasoningDelta'>): ServerSentEvent[] {
    const detail = { type: 'reasoning.text', text, index: this.#reasoningPlace(index) };
    return this.#delta({ reasoning_content: text, reasoning_details: [detail] });
  }

  #seal(seal: EventOf<'reasoningSeal'>): ServerSentEvent[] {
    const details = encodeSeal(seal, this.#reasoningPlace(seal.index));
    return details.length === 0 ? [] : this.#delta({ reasoning_details: details });
  }

  #reasoningPlace(index: number): number {
    const place = this.#reasoningParts.indexOf(index);
    return place === -1 ? this.#reasoningParts.push(index) - 1 : place;
  }

  #startCall({ index, id, name, ...call }: EventOf<'toolCallStart'>): ServerSentEvent[] {
    const freeForm = call.freeForm === true;
    const place = this.#calls.size;
    if (this.#isOlder && place > 0) {
      this.dropped.add(TOOL_CALLS);
      return [];
    }
    this.#calls.set(index, { place, freeForm, hasArguments: false });
    if (this.#isOlder) return this.#delta({ function_call: { name, arguments: '' } });
    const fragment = freeForm
      ? { index: place, id, type: 'custom', custom: { name, input: '' } }
      : { index: place, id, type: 'function', function: { name, arguments: '' } };
    return this.#delta({ tool_calls: [fragment] });
  }

  #continueCall(index: number, text: string): ServerSentEvent[] {
    const call = this.#calls.get(index);
    if (call === undefined || text === '') return [];
    call.hasArguments = true;
    if (this.#isOlder) return this.#delta({ function_call: { arguments: text } });
    const fragment = call.freeForm ? { custom: { input: text } } : { function: { arguments: text } };
    return this.#delta({ tool_calls: [{ index: call.place, ...fragment }] });
  }

  #endCall(index: number): ServerSentEvent[] {
    const call = this.#calls.get(index);
    return call === undefined || call.freeForm || call.hasArguments ? [] : this.#continueCall(index, NO_ARGUMENTS);
  }

  #finish({ reason }: EventOf<'finish'>): ServerSentEvent[] {
    this.#finished = true;
    const annotations = this.#annotations.wire();
    const cited = annotations.length > 0 ? this.#delta({ annotations }) : [];
    const finish_reason = encodeFinishReason(reason, this.#isOlder);
    const chunk = this.#chunk({ choices: [{ index: 0, delta: {}, finish_reason }] });
    const complete = this.#usage !== undefined || !this.#includeUsage;
    return complete ? [...cited, chunk, ...this.#close()] : [...cited, chunk];
  }

  #count(usage: Usage): ServerSentEvent[] {
    this.#usage = usage;
    return this.#finished ? this.#close() : [];
  }

  #close(): ServerSentEvent[] {
    this.#closed = true;
    const usage = this.#includeUsage ? this.#usage : undefined;
    return usage === undefined ? [DONE] : [this.#chunk({ choices: [], usage: encodeUsage(usage) }), DONE];
  }

  /** Writes an error. For clients it ends the stream, so the end marker must not follow it. */
  #fail(error: ApiError): ServerSentEvent[] {
    this.#closed = true;
    return [{ data: JSON.stringify(encodeError(error).body) }];
  }

  #delta(delta: WireDelta): ServerSentEvent[] {
    return [this.#chunk({ choices: [{ index: 0, delta, finish_reason: null }] })];
  }

  #chunk(fields: Pick<ChatCompletionsEvent, 'choices' | 'usage'>): ServerSentEvent {
    const usage = this.#includeUsage ? { usage: null } : {};
    return { data: JSON.stringify({ ...this.#head, ...usage, ...fields }) };
  }
}
