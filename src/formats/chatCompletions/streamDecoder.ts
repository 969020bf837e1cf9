import type { ChatEvent } from '../answer.ts';
import { type ApiError, CUT_ANSWER, endedEarly } from '../apiError.ts';
import type { PlacedCitation } from '../conversation.ts';
import { errorSentence } from '../errorSentence.ts';
import { defined } from '../json.ts';
import { asLogProbs, decodeLogProbs } from '../logProbs.ts';
import { LostOutput, lostPart } from '../lostOutput.ts';
import { type Usage, withUnlistedPrice } from '../usage.ts';
import type { StreamDecoder, StreamItem } from '../wireFormat.ts';
import { decodeContent, decodeReasoning, isText } from './content.ts';
import { isOtherCall } from './contentSchema.ts';
import { decodeError, hasFailedBase } from './errors.ts';
import {
  type AboutText,
  citationsIn,
  decodeFinishReason,
  droppedFrom,
  imagesIn,
  isFailure,
  sourcesIn,
  UNKNOWN_ID,
} from './response.ts';
import type { ChatCompletionsEvent, WireDelta } from './schema.ts';
import { StreamedParts } from './streamedParts.ts';
import { decodeUsage, hasOutput, usageIn } from './usage.ts';

type StreamedChoice = NonNullable<ChatCompletionsEvent['choices']>[number];

/** Objects of streams. Others are events that this form of the format does not have. */
const OBJECTS: ReadonlySet<string> = new Set(['chat.completion.chunk', 'chat.completion', 'text_completion', '']);

function isOtherObject(object: string | null | undefined): object is string {
  return !OBJECTS.has(object ?? '');
}

/** An empty answer has a token for its end, and some templates have a few more. */
const MAX_TOKENS_OF_END = 8;
const NOT_FOUND = 'tokens are reported, but no output was found';

type StreamPhase = 'waiting' | 'answering' | 'closed';

/**
 * Decodes chunks to neutral events. Only the first of several choices is used. What follows the finish reason still
 * counts, because some servers send it too early, so the answer ends with the stream.
 */
export class ChatCompletionsStreamDecoder implements StreamDecoder<ChatCompletionsEvent> {
  readonly dropped = new Set<string>();
  #phase: StreamPhase = 'waiting';
  readonly #unnamedId: string;
  #parts: StreamedParts;
  readonly #lost = new LostOutput();
  #reason: string | undefined;
  #failure: ApiError | undefined;
  /** The `index` of the choice that is read, and those of others. */
  #place = 0;
  readonly #otherPlaces = new Set<number>();
  #hasDeltas = false;
  /** The addresses of the sources so far, which some services repeat in each chunk. */
  readonly #sources = new Set<string>();
  /** The last usage, until it is known to be final. */
  #usage: Usage | undefined;
  /** Whether the answer may have continued after the last usage. */
  #isPartial = false;

  constructor(unnamedId = UNKNOWN_ID) {
    this.#unnamedId = unnamedId;
    this.#parts = new StreamedParts(unnamedId);
  }

  push(item: StreamItem<ChatCompletionsEvent>): ChatEvent[] {
    if (this.#phase === 'closed') return [];
    switch (item.type) {
      case 'malformed':
        this.#lost.note(item);
        return [item];
      case 'done':
        return this.#done();
      case 'event':
        if (item.lost !== undefined) this.#lost.note(item);
        return this.#read(item.event);
    }
  }

  /** Only the usage and the end marker usually follow the finish reason. */
  get hasAllOutput(): boolean {
    return this.#reason !== undefined;
  }

  end(): ChatEvent[] {
    if (this.#phase === 'closed') return [];
    return this.hasAllOutput ? this.#close() : this.#fail(CUT_ANSWER);
  }

  #read(event: ChatCompletionsEvent): ChatEvent[] {
    if (event.error || (!event.choices && hasFailedBase(event))) return this.#refuse(event);
    const [only, another] = event.choices ?? [];
    // Nearly all chunks have a part of the only choice.
    const isPlain = only !== undefined && another === undefined && !only.index;
    const choice = isPlain ? only : this.#choiceOf(event);
    const counted = this.#count(event);
    // No part of the answer has arrived yet.
    if (counted && choice === undefined && this.#phase === 'waiting') this.#isPartial = true;
    const events = this.#start(event, choice !== undefined);
    if (choice === undefined && isOtherObject(event.object)) this.dropped.add(event.object);
    if (event.citations || event.search_results)
      events.push(...sourcesIn(event).flatMap((each) => this.#addSource(each)));
    if (this.#phase === 'answering' && choice !== undefined) events.push(...this.#readChoice(choice, counted));
    else if (counted && this.hasAllOutput) this.#isPartial = false;
    return events;
  }

  /**
   * Returns the chunk's part of the choice that began first. Some servers number a part of it wrongly, but another choice
   * has several parts.
   */
  #choiceOf({ choices }: ChatCompletionsEvent): StreamedChoice | undefined {
    if (!choices || choices.length === 0) return undefined;
    const zero = choices.find(({ index }) => !index);
    if (this.#phase === 'waiting') this.#place = zero === undefined ? (choices[0]?.index ?? 0) : 0;
    const own = zero ?? choices.find(({ index }) => index === this.#place);
    const others = choices.filter((choice) => choice !== own);
    const wrong = own === undefined ? others.find(({ index }) => !this.#otherPlaces.has(index ?? 0)) : undefined;
    for (const { index } of others) this.#otherPlaces.add(index ?? 0);
    return own ?? wrong;
  }

  #addSource(source: PlacedCitation): ChatEvent[] {
    const { url = '' } = source.citation;
    if (this.#sources.has(url)) return [];
    this.#sources.add(url);
    return this.#parts.cite(source);
  }

  /** Reads an error. A complete answer remains complete, even if something fails after it. */
  #refuse(event: ChatCompletionsEvent): ChatEvent[] {
    if (this.hasAllOutput) return this.#close();
    const error = decodeError(event) ?? {
      kind: 'server',
      message: errorSentence(event.error) ?? 'The upstream reported an error without a reason.',
    };
    return this.#fail(error);
  }

  /** Keeps the chunk's usage. Returns whether it may be final: some servers send 0 at first. */
  #count(event: ChatCompletionsEvent): boolean {
    const wire = usageIn(event);
    const usage = withUnlistedPrice(decodeUsage(wire), event, wire);
    const counts = usage !== undefined && usage.inputTokens + usage.outputTokens > 0;
    if (counts || this.#usage === undefined) this.#usage = usage;
    return counts;
  }

  /** Ignores chunks that some servers send before the answer, without an ID or choices. */
  #start({ id, model, created }: ChatCompletionsEvent, hasChoice: boolean): ChatEvent[] {
    if (this.#phase !== 'waiting' || (!hasChoice && !id)) return [];
    this.#phase = 'answering';
    this.#parts = new StreamedParts(id || this.#unnamedId);
    return [
      { type: 'start', id: id || this.#unnamedId, model: model ?? '', ...defined({ createdAt: created ?? undefined }) },
    ];
  }

  #readChoice(
    { delta: part, message, finish_reason: reason, logprobs }: StreamedChoice,
    counted: boolean,
  ): ChatEvent[] {
    // Other servers repeat the whole answer there, beside its parts.
    const delta = part ?? (this.#hasDeltas ? undefined : message);
    if (part) this.#hasDeltas = true;
    const events = delta ? this.#readDelta(delta, { annotations: delta.annotations, logprobs }) : [];
    if (counted) this.#isPartial = !reason && this.#reason === undefined && !hasOutput(delta);
    else this.#isPartial ||= hasOutput(delta);
    if (!reason || reason === 'null') return events;
    this.#reason = reason;
    if (isFailure(reason)) this.#failure = { kind: 'server', message: endedEarly(reason) };
    return events;
  }

  #readDelta(delta: WireDelta, about: AboutText): ChatEvent[] {
    const parts = this.#parts;
    const events: ChatEvent[] = [];
    for (const piece of decodeReasoning(delta)) events.push(...parts.add({ type: 'reasoning', ...piece }));
    const likely = about.logprobs ? asLogProbs(decodeLogProbs(about.logprobs.content)) : {};
    const content = decodeContent(delta.content);
    if ('logProbs' in likely && !content.some(isText)) events.push(...parts.add({ type: 'text', text: '', ...likely }));
    for (const part of content) {
      if ('text' in part) events.push(...parts.add(isText(part) ? { ...part, ...likely } : part));
      else if (part.type === 'image') events.push(...parts.addImage(part.source));
    }
    for (const cited of delta.annotations ? citationsIn(about) : []) events.push(...parts.cite(cited));
    for (const name of droppedFrom(delta, about)) this.dropped.add(name);
    for (const { source } of delta.images ? imagesIn(delta.images) : []) events.push(...parts.addImage(source));
    if (delta.refusal) events.push(...parts.add({ type: 'refusal', text: delta.refusal }));
    for (const fragment of delta.tool_calls ?? []) {
      if (!isOtherCall(fragment)) events.push(...parts.addToolCall(fragment));
    }
    if (delta.function_call) events.push(...parts.addToolCall({ index: 0, function: delta.function_call }));
    return events;
  }

  #done(): ChatEvent[] {
    if (this.#phase === 'answering') return this.#close();
    const message = 'The upstream ended the stream without an answer. Send the request again.';
    return this.#fail({ kind: 'malformed', message });
  }

  /** Ends the answer. Without a finish reason, the end marker is its natural end. */
  #close(): ChatEvent[] {
    this.#phase = 'closed';
    const rest = this.#parts.end();
    for (const event of rest) if (event.type === 'malformed') this.#lost.note(event);
    if (this.#parts.hasUncited) this.dropped.add('annotations');
    const usage = this.#countedUsage();
    if (this.#failure !== undefined) return [...rest, ...usage, { type: 'error', error: this.#failure }];
    if (this.#isMissing) this.#lost.note(lostPart(NOT_FOUND, ''));
    const reason = decodeFinishReason(this.#reason, this.#parts.hasToolCalls);
    return [...rest, ...usage, this.#lost.ending({ type: 'finish', reason })];
  }

  /** Whether the answer has no output although tokens are reported that are no reasoning. Its end alone has a few. */
  get #isMissing(): boolean {
    const { outputTokens = 0, reasoningTokens = 0 } = this.#usage ?? {};
    if (!this.#parts.isEmpty || this.dropped.has('audio') || outputTokens - reasoningTokens <= MAX_TOKENS_OF_END)
      return false;
    return ['stop', 'toolCalls'].includes(decodeFinishReason(this.#reason, true));
  }

  #countedUsage(): ChatEvent[] {
    return this.#usage === undefined
      ? []
      : [{ type: 'usage', usage: this.#usage, ...(this.#isPartial && { isPartial: true }) }];
  }

  #fail(error: ApiError): ChatEvent[] {
    this.#phase = 'closed';
    return [{ type: 'error', error }];
  }
}
