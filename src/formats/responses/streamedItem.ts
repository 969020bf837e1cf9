import type { ChatEvent } from '../answer.ts';
import type { AssistantPart, ToolCallPart } from '../conversation.ts';
import { asLogProbs, decodeLogProbs, type WireLogProbs } from '../logProbs.ts';
import { lostPart } from '../lostOutput.ts';
import { decodeAnnotation } from './annotations.ts';
import { isKnownPart, type OutputText, type ResponsesAnnotation } from './contentSchema.ts';
import type { ResponsesKnownEvent } from './eventSchema.ts';
import { decodeCall, decodeImage } from './items.ts';
import { decodeSeal, reasoningText, SUMMARY_BREAK } from './reasoning.ts';
import type { KnownOutputItem, OutputMessageItem, ReasoningItem } from './schema.ts';

/** Returns the index of the next part of the answer. */
export type PartNumbers = (type: AssistantPart['type']) => number;

export type ItemEvent = Exclude<
  Extract<ResponsesKnownEvent, { output_index?: number | null | undefined }>,
  { type: 'response.output_item.added' | 'response.output_item.done' }
>;

type ContentKind = 'text' | 'refusal';

interface Streamed {
  readonly index: number;
  text: string;
}

interface StreamedContent extends Streamed {
  /** The number of annotations and log probabilities so far. */
  annotations: number;
  logProbs: number;
}

/** One output item that is being read. Its parts get their indexes with their first content. */
export class StreamedItem {
  readonly #numbers: PartNumbers;
  /** Contents by `content_index`. */
  readonly #contents = new Map<number, StreamedContent>();
  #reasoning: Streamed | undefined;
  #reasoningId: string | undefined;
  #summaryIndex = 0;
  #thoughts: 'summary' | 'raw' | undefined;
  #call: Streamed | undefined;
  /** Arguments that arrived before their call. */
  #early = '';
  #ended = false;

  constructor(numbers: PartNumbers) {
    this.#numbers = numbers;
  }

  /** False while only arguments have arrived, before their call. */
  get hasBegun(): boolean {
    return this.#call !== undefined || this.#reasoning !== undefined || this.#contents.size > 0;
  }

  begin(item: KnownOutputItem): ChatEvent[] {
    switch (item.type) {
      case 'function_call':
        return this.#beginCall(decodeCall(item, ''));
      case 'custom_tool_call':
        return this.#beginCall({ ...decodeCall(item, ''), freeForm: true });
      case 'reasoning':
        this.#reasoningId = item.id || undefined;
        return [];
      default:
        return [];
    }
  }

  push(event: ItemEvent): ChatEvent[] {
    switch (event.type) {
      case 'response.output_text.delta':
        return this.#say('text', event.content_index, event.delta ?? '', event.logprobs);
      case 'response.output_text.done':
        return this.#emitRest('text', event.content_index, event.text ?? '', event.logprobs);
      case 'response.output_text.annotation.added':
        return this.#cite(event.content_index, event.annotation);
      case 'response.refusal.delta':
        return this.#say('refusal', event.content_index, event.delta ?? '');
      case 'response.refusal.done':
        return this.#emitRest('refusal', event.content_index, event.refusal ?? '');
      case 'response.reasoning_summary_text.delta':
        return this.#summarize(event.summary_index, event.delta ?? '');
      case 'response.reasoning_text.delta':
        return this.#think('raw', event.delta ?? '');
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return this.#write(event.delta ?? '');
      case 'response.function_call_arguments.done':
        return this.#writeRest(event.arguments ?? '');
      case 'response.custom_tool_call_input.done':
        return this.#writeRest(event.input ?? '');
    }
  }

  /** Reads the complete item: adds what its events omitted, and ends it. */
  complete(item: KnownOutputItem): ChatEvent[] {
    switch (item.type) {
      case 'reasoning':
        return this.#completeReasoning(item);
      case 'function_call':
        return [...this.begin(item), ...this.#writeRest(item.arguments ?? ''), ...this.end()];
      case 'custom_tool_call':
        return [...this.begin(item), ...this.#writeRest(item.input ?? ''), ...this.end()];
      case 'image_generation_call':
        return decodeImage(item).map(({ source }) => ({ type: 'image', index: this.#numbers('image'), source }));
      default:
        return this.#completeMessage(item);
    }
  }

  end(): ChatEvent[] {
    if (this.#ended) return [];
    this.#ended = true;
    if (this.#call === undefined) {
      return this.#early === '' ? [] : [lostPart('arguments of a tool call that never started', this.#early)];
    }
    return [{ type: 'toolCallEnd', index: this.#call.index }];
  }

  #say(kind: ContentKind, place: number, delta: string, logprobs?: WireLogProbs): ChatEvent[] {
    if (delta === '' && !logprobs?.length) return [];
    const content = this.#content(kind, place);
    content.text += delta;
    if (kind === 'refusal') return [{ type: 'refusalDelta', index: content.index, text: delta }];
    content.logProbs += logprobs?.length ?? 0;
    const likely = logprobs?.length ? asLogProbs(decodeLogProbs(logprobs)) : {};
    return [{ type: 'textDelta', index: content.index, text: delta, ...likely }];
  }

  #emitRest(kind: ContentKind, place: number, whole: string, logprobs?: WireLogProbs): ChatEvent[] {
    const content = this.#contents.get(place);
    return this.#say(kind, place, rest(content?.text, whole), logprobs?.slice(content?.logProbs ?? 0));
  }

  #content(kind: ContentKind, place: number): StreamedContent {
    const known = this.#contents.get(place);
    if (known !== undefined) return known;
    const content = { index: this.#numbers(kind), text: '', annotations: 0, logProbs: 0 };
    this.#contents.set(place, content);
    return content;
  }

  #cite(place: number, annotation: ResponsesAnnotation): ChatEvent[] {
    const content = this.#content('text', place);
    content.annotations += 1;
    const cited = decodeAnnotation(annotation);
    return cited === undefined ? [] : [{ type: 'citation', index: content.index, ...cited }];
  }

  #completeText(place: number, { text, annotations, logprobs }: OutputText): ChatEvent[] {
    const events = this.#emitRest('text', place, text, logprobs);
    const unsent = (annotations ?? []).slice(this.#contents.get(place)?.annotations ?? 0);
    return [...events, ...unsent.flatMap((annotation) => this.#cite(place, annotation))];
  }

  #completeMessage({ content }: OutputMessageItem): ChatEvent[] {
    const parts = typeof content === 'string' ? [{ type: 'output_text', text: content }] : (content ?? []);
    return parts.flatMap((part, place) => {
      if (!isKnownPart(part)) return [];
      if (part.type === 'refusal') return this.#emitRest('refusal', place, part.refusal);
      if (part.type === 'output_text') return this.#completeText(place, part);
      return 'text' in part && typeof part.text === 'string' ? this.#emitRest('text', place, part.text) : [];
    });
  }

  #summarize(summaryIndex: number, delta: string): ChatEvent[] {
    if (delta === '') return [];
    const next = summaryIndex !== this.#summaryIndex && this.#reasoning !== undefined;
    this.#summaryIndex = summaryIndex;
    return this.#think('summary', next ? SUMMARY_BREAK + delta : delta);
  }

  /** Uses the summary or the raw reasoning, whichever arrives first, because the neutral form has one text. */
  #think(thoughts: 'summary' | 'raw', delta: string): ChatEvent[] {
    this.#thoughts ??= thoughts;
    if (delta === '' || this.#thoughts !== thoughts) return [];
    const itemId = this.#reasoning === undefined ? this.#reasoningId : undefined;
    const reasoning = this.#openReasoning();
    reasoning.text += delta;
    return [{ type: 'reasoningDelta', index: reasoning.index, text: delta, ...(itemId !== undefined && { itemId }) }];
  }

  #openReasoning(): Streamed {
    this.#reasoning ??= { index: this.#numbers('reasoning'), text: '' };
    return this.#reasoning;
  }

  #completeReasoning(item: ReasoningItem): ChatEvent[] {
    this.#reasoningId ??= item.id || undefined;
    const missing = this.#think(this.#thoughts ?? 'summary', rest(this.#reasoning?.text, reasoningText(item)));
    const seal = decodeSeal(item);
    const isEmpty = this.#reasoning === undefined && seal.encrypted === undefined && seal.signature === undefined;
    if (isEmpty || Object.keys(seal).length === 0) return missing;
    return [...missing, { type: 'reasoningSeal', index: this.#openReasoning().index, ...seal }];
  }

  #beginCall({ type: _, arguments: __, cacheHint: ___, ...call }: ToolCallPart): ChatEvent[] {
    if (this.#call !== undefined) return [];
    this.#call = { index: this.#numbers('toolCall'), text: '' };
    return [{ type: 'toolCallStart', index: this.#call.index, ...call }, ...this.#write(this.#early)];
  }

  #write(delta: string): ChatEvent[] {
    if (this.#call === undefined) {
      this.#early += delta;
      return [];
    }
    if (delta === '' || this.#ended) return [];
    this.#call.text += delta;
    return [{ type: 'toolCallDelta', index: this.#call.index, arguments: delta }];
  }

  #writeRest(whole: string): ChatEvent[] {
    return this.#write(rest(this.#call?.text ?? this.#early, whole));
  }
}

/** Returns the missing rest of a text, or nothing if the two do not match, because sent text cannot be withdrawn. */
function rest(sent: string | undefined, whole: string): string {
  return whole.startsWith(sent ?? '') ? whole.slice(sent?.length ?? 0) : '';
}
