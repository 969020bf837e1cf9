import { type ApiError, CUT_ANSWER } from '../apiError.ts';
import type { ChatEvent, Usage } from '../conversation.ts';
import { defined } from '../defined.ts';
import { asLogProbs, decodeLogProbs } from '../logProbs.ts';
import { withUnlistedPrice } from '../unlistedPrice.ts';
import type { StreamDecoder, StreamItem } from '../wireFormat.ts';
import { UNKNOWN_ID } from './answerId.ts';
import { type AboutText, citationsIn, droppedFrom, hasOutput } from './answerText.ts';
import { decodeContent, isText } from './content.ts';
import { decodeError } from './errors.ts';
import { decodeFinishReason, isFailure } from './finishReason.ts';
import { decodeReasoning } from './reasoning.ts';
import type { ChatCompletionsEvent, WireDelta } from './schema.ts';
import { StreamedParts } from './streamedParts.ts';
import { decodeUsage, usageIn } from './usage.ts';

type Choice = NonNullable<ChatCompletionsEvent['choices']>[number];

/** `finished`: the answer is complete, but usage may follow. `closed`: nothing more is accepted. */
type Phase = 'waiting' | 'answering' | 'finished' | 'closed';

/** Decodes chunks to neutral events. Only the first of several choices is used. */
export class ChatCompletionsStreamDecoder implements StreamDecoder<ChatCompletionsEvent> {
  readonly dropped = new Set<string>();
  #phase: Phase = 'waiting';
  readonly #unnamedId: string;
  #parts: StreamedParts;
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
        return [item];
      case 'done':
        return this.#done();
      case 'event':
        return this.#read(item.event);
    }
  }

  end(): ChatEvent[] {
    if (this.#phase === 'closed') return [];
    if (this.#phase === 'finished') return this.#close();
    return this.#fail(CUT_ANSWER);
  }

  #read(event: ChatCompletionsEvent): ChatEvent[] {
    if (event.error) return this.#refuse(event);
    const choice = event.choices?.find(({ index }) => (index ?? 0) === 0);
    const counted = this.#count(event);
    // No part of the answer has arrived yet.
    if (counted && choice === undefined && this.#phase === 'waiting') this.#isPartial = true;
    const events = this.#start(event, choice !== undefined);
    if (this.#phase === 'answering' && choice !== undefined) events.push(...this.#readChoice(choice, counted));
    else if (this.#phase === 'finished' && counted) {
      this.#isPartial = false;
      events.push(...this.#countedUsage());
    }
    return events;
  }

  /** Reads an error. A complete answer remains complete, even if something fails after it. */
  #refuse(event: ChatCompletionsEvent): ChatEvent[] {
    if (this.#phase === 'finished') return this.#close();
    this.#phase = 'closed';
    const error = decodeError(event) ?? {
      kind: 'server',
      message: `The upstream reported an error: ${JSON.stringify(event.error)}`,
    };
    return [{ type: 'error', error }];
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

  #readChoice({ delta, finish_reason: reason, logprobs }: Choice, counted: boolean): ChatEvent[] {
    const events = delta ? this.#readDelta(delta, { annotations: delta.annotations, logprobs }) : [];
    this.#isPartial = counted ? !reason && !hasOutput(delta) : this.#isPartial || hasOutput(delta);
    if (!reason || reason === 'null') return events;
    if (!isFailure(reason)) return [...events, ...this.#finish(reason, counted)];
    const message = `The upstream ended the answer early (${reason}). Send the request again.`;
    return [...events, ...this.#fail({ kind: 'server', message })];
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
    }
    for (const cited of delta.annotations ? citationsIn(about) : []) events.push(...parts.cite(cited));
    for (const name of droppedFrom(delta, about)) this.dropped.add(name);
    if (delta.refusal) events.push(...parts.add({ type: 'refusal', text: delta.refusal }));
    for (const fragment of delta.tool_calls ?? []) events.push(...parts.addToolCall(fragment));
    if (delta.function_call) events.push(...parts.addToolCall({ index: 0, function: delta.function_call }));
    return events;
  }

  /** Finishes the answer. Usage in the finishing chunk is final; earlier usage may be replaced by a later chunk. */
  #finish(reason: string | undefined, counted: boolean): ChatEvent[] {
    this.#phase = 'finished';
    const rest = this.#parts.end();
    if (this.#parts.hasUncited) this.dropped.add('annotations');
    const usage = counted ? this.#countedUsage() : [];
    return [...rest, ...usage, { type: 'finish', reason: decodeFinishReason(reason, this.#parts.hasToolCalls) }];
  }

  #done(): ChatEvent[] {
    if (this.#phase === 'waiting') {
      const message = 'The upstream ended the stream without an answer. Send the request again.';
      return this.#fail({ kind: 'malformed', message });
    }
    const finish = this.#phase === 'answering' ? this.#finish(undefined, false) : [];
    return [...finish, ...this.#close()];
  }

  #close(): ChatEvent[] {
    this.#phase = 'closed';
    return this.#countedUsage();
  }

  #countedUsage(): ChatEvent[] {
    const usage = this.#usage;
    this.#usage = undefined;
    return usage === undefined ? [] : [{ type: 'usage', usage, ...(this.#isPartial && { isPartial: true }) }];
  }

  #fail(error: ApiError): ChatEvent[] {
    this.#phase = 'closed';
    return [{ type: 'error', error }];
  }
}
