import type { ChatEvent } from '../answer.ts';
import { CUT_ANSWER, endedEarly } from '../apiError.ts';
import { CITATIONS, otherMembers } from '../dropped.ts';
import { defined } from '../json.ts';
import { LostOutput, lostPart } from '../lostOutput.ts';
import { ShownSearches } from '../shownSearches.ts';
import type { StreamDecoder, StreamItem } from '../wireFormat.ts';
import { decodeCitation } from './citations.ts';
import { errorOf } from './errors.ts';
import {
  type BlockDelta,
  isKnownBlockDelta,
  isKnownEvent,
  type MessagesEvent,
  type MessagesKnownEvent,
  messageDelta,
} from './eventSchema.ts';
import { decodeStopReason, droppedFromDetails, explanationIn, isFailure, UNKNOWN_ID } from './response.ts';
import {
  isKnownResponseBlock,
  type KnownResponseBlock,
  type MessagesUsage,
  messagesResponse,
  type WireCitation,
} from './schema.ts';
import { decodeSignature } from './thinking.ts';
import { decodeInput } from './tools.ts';
import { decodeUsage, mergeUsage } from './usage.ts';
import { searchIn, usageWithSearches } from './webSearches.ts';

interface DecodedBlock {
  readonly kind: 'text' | 'reasoning' | 'toolCall' | 'ignored';
  index?: number;
  /** The arguments of a tool call to use if no delta contains any. */
  whole?: string;
}

type MessagesEventOf<Type extends MessagesKnownEvent['type']> = Extract<MessagesKnownEvent, { type: Type }>;

const READ_OF_MESSAGE: ReadonlySet<string> = new Set(Object.keys(messagesResponse.shape));
const READ_OF_DELTA: ReadonlySet<string> = new Set(Object.keys(messageDelta.shape));

export class MessagesStreamDecoder implements StreamDecoder<MessagesEvent> {
  readonly dropped = new Set<string>();
  readonly #unnamedId: string;
  readonly #blocks = new Map<number, DecodedBlock>();
  readonly #searches = new ShownSearches(searchIn);
  readonly #lost = new LostOutput();
  #parts = 0;
  /** The place of the block that began last. */
  #latest = -1;
  #called = false;
  #started = false;
  #ended = false;
  #usage: MessagesUsage = {};
  #stopReason: string | undefined;
  #stopSequence: string | undefined;
  #explanation = '';

  constructor(unnamedId = UNKNOWN_ID) {
    this.#unnamedId = unnamedId;
  }

  push(item: StreamItem<MessagesEvent>): ChatEvent[] {
    if (this.#ended || item.type === 'done') return [];
    if (item.type === 'malformed' || item.lost !== undefined) this.#lost.note(item);
    if (item.type === 'malformed') return [item];
    if (!isKnownEvent(item.event)) return this.#ignore(item.event.type);
    // The start of the message is only missing if it could not be read, or if the server sends none.
    const isBlock = item.event.type.startsWith('content_block_');
    if (!this.#started && isBlock) return [...this.#start({ type: 'message_start' }), ...this.#decode(item.event)];
    return this.#isInPlace(item.event.type) ? this.#decode(item.event) : [outOfPlace(item.event)];
  }

  #ignore(type: string): ChatEvent[] {
    this.dropped.add(type);
    return [];
  }

  /** Only `message_stop` may follow the stop reason, and some servers omit it. */
  get hasAllOutput(): boolean {
    return this.#stopReason !== undefined;
  }

  end(): ChatEvent[] {
    if (this.#ended) return [];
    if (this.hasAllOutput) return this.#finish();
    this.#ended = true;
    return [{ type: 'error', error: CUT_ANSWER }];
  }

  #isInPlace(type: MessagesKnownEvent['type']): boolean {
    return this.#started || type === 'message_start' || type === 'ping' || type === 'error';
  }

  #decode(event: MessagesKnownEvent): ChatEvent[] {
    switch (event.type) {
      case 'message_start':
        return this.#start(event);
      case 'content_block_start':
        return this.#startBlock(event);
      case 'content_block_delta':
        return this.#delta(event);
      case 'content_block_stop':
        return this.#stopBlock(this.#placeOf(event));
      case 'message_delta':
        return this.#messageDelta(event);
      case 'message_stop':
        return this.#finish();
      case 'error':
        this.#ended = true;
        return [{ type: 'error', error: errorOf(event) }];
      case 'ping':
        return [];
    }
  }

  /** Starts the answer. A second start is ignored. */
  #start({ message }: MessagesEventOf<'message_start'>): ChatEvent[] {
    if (this.#started) return [];
    this.#started = true;
    for (const name of otherMembers(message ?? {}, READ_OF_MESSAGE)) this.dropped.add(name);
    return [
      { type: 'start', id: message?.id || this.#unnamedId, model: message?.model ?? '' },
      ...this.#counted(message?.usage).map((counted) => ({ ...counted, isPartial: true as const })),
    ];
  }

  #counted(usage: MessagesUsage | null | undefined): Extract<ChatEvent, { type: 'usage' }>[] {
    if (!usage) return [];
    this.#usage = mergeUsage(this.#usage, usage);
    const total = decodeUsage(this.#usage);
    return total === undefined ? [] : [{ type: 'usage', usage: total }];
  }

  /** Starts a block. If another block is open at this index, ends that one. */
  #startBlock(event: MessagesEventOf<'content_block_start'>): ChatEvent[] {
    const { content_block } = event;
    const index = event.index ?? this.#latest + 1;
    this.#latest = index;
    this.#searches.add(event);
    const ended = this.#stopBlock(index);
    if (!isKnownResponseBlock(content_block)) {
      this.dropped.add(content_block.type);
      this.#blocks.set(index, { kind: 'ignored' });
      return ended;
    }
    const block: DecodedBlock = { kind: kindOf(content_block) };
    this.#blocks.set(index, block);
    return [...ended, ...this.#firstOf(block, content_block)];
  }

  #firstOf(block: DecodedBlock, content_block: KnownResponseBlock): ChatEvent[] {
    switch (content_block.type) {
      case 'text':
        return [
          ...this.#text(block, content_block.text ?? ''),
          ...(content_block.citations ?? []).flatMap((citation) => this.#cite(block, citation)),
        ];
      case 'thinking':
        return [...this.#reasoning(block, content_block.thinking ?? ''), ...this.#seal(block, content_block.signature)];
      case 'redacted_thinking':
        return [{ type: 'reasoningSeal', index: this.#indexOf(block), encrypted: content_block.data }];
      case 'tool_use': {
        this.#called = true;
        block.whole = decodeInput(content_block.input);
        const { id, name } = content_block;
        return [{ type: 'toolCallStart', index: this.#indexOf(block), id: id ?? '', name }];
      }
    }
  }

  /** Reads a delta. A block that was not started, or that has another kind, starts with its first delta. */
  #delta(event: MessagesEventOf<'content_block_delta'>): ChatEvent[] {
    const { delta } = event;
    const index = this.#placeOf(event);
    const known = this.#blocks.get(index);
    if (known?.kind === 'ignored') return [];
    if (!isKnownBlockDelta(delta)) return this.#ignore(delta.type);
    if (delta.type === 'input_json_delta')
      return this.#arguments(known ?? this.#blocks.get(this.#latest), delta.partial_json ?? '');
    const kind = delta.type === 'text_delta' || delta.type === 'citations_delta' ? 'text' : 'reasoning';
    if (known?.kind === kind) return this.#say(known, delta);
    const ended = this.#stopBlock(index);
    const block: DecodedBlock = { kind };
    this.#blocks.set(index, block);
    return [...ended, ...this.#say(block, delta)];
  }

  #say(block: DecodedBlock, delta: Exclude<BlockDelta, { type: 'input_json_delta' }>): ChatEvent[] {
    switch (delta.type) {
      case 'citations_delta':
        return this.#cite(block, delta.citation);
      case 'text_delta':
        return this.#text(block, delta.text ?? '');
      case 'thinking_delta':
        return this.#reasoning(block, delta.thinking ?? '');
      case 'signature_delta':
        return this.#seal(block, delta.signature);
    }
  }

  #placeOf({ index }: { readonly index?: number | null | undefined }): number {
    return index ?? this.#latest;
  }

  #indexOf(block: DecodedBlock): number {
    block.index ??= this.#parts++;
    return block.index;
  }

  #text(block: DecodedBlock, text: string): ChatEvent[] {
    if (text === '') return [];
    return [{ type: 'textDelta', index: this.#indexOf(block), text }];
  }

  #cite(block: DecodedBlock, wire: WireCitation): ChatEvent[] {
    const cited = decodeCitation(wire);
    if (cited !== undefined) return [{ type: 'citation', index: this.#indexOf(block), ...cited }];
    this.dropped.add(CITATIONS);
    return [];
  }

  #reasoning(block: DecodedBlock, text: string): ChatEvent[] {
    if (text === '') return [];
    return [{ type: 'reasoningDelta', index: this.#indexOf(block), text }];
  }

  #seal(block: DecodedBlock, signature: string | null | undefined): ChatEvent[] {
    const seal = decodeSignature(signature);
    if (Object.keys(seal).length === 0) return [];
    return [{ type: 'reasoningSeal', index: this.#indexOf(block), ...seal }];
  }

  #arguments(block: DecodedBlock | undefined, json: string): ChatEvent[] {
    if (json === '') return [];
    if (block?.kind !== 'toolCall') {
      const lost = lostPart('arguments of a tool call that never started', json);
      this.#lost.note(lost);
      return [lost];
    }
    delete block.whole;
    return [{ type: 'toolCallDelta', index: this.#indexOf(block), arguments: json }];
  }

  /** Ends a block. A call without arguments gets an empty object. */
  #stopBlock(place: number): ChatEvent[] {
    const block = this.#blocks.get(place);
    this.#blocks.delete(place);
    if (block?.kind !== 'toolCall') return [];
    const index = this.#indexOf(block);
    const whole: ChatEvent[] =
      block.whole === undefined ? [] : [{ type: 'toolCallDelta', index, arguments: block.whole }];
    return [...whole, { type: 'toolCallEnd', index }];
  }

  #messageDelta({ delta, usage }: MessagesEventOf<'message_delta'>): ChatEvent[] {
    this.#stopReason = delta?.stop_reason || this.#stopReason;
    this.#stopSequence = delta?.stop_sequence ?? this.#stopSequence;
    this.#explanation = explanationIn(delta?.stop_details) || this.#explanation;
    const unread = [...otherMembers(delta ?? {}, READ_OF_DELTA), ...droppedFromDetails(delta?.stop_details)];
    for (const name of unread) this.dropped.add(name);
    // The answer may continue if there is no stop reason yet.
    const isPartial = this.#stopReason === undefined && { isPartial: true as const };
    const counted = this.#counted(usage && usageWithSearches(usage, this.#searches.count)).map((event) => ({
      ...event,
      ...isPartial,
    }));
    // Without an output count, the event reports nothing beyond the start event.
    return typeof usage?.output_tokens === 'number' ? counted : [];
  }

  #finish(): ChatEvent[] {
    const open = [...this.#blocks.keys()].flatMap((place) => this.#stopBlock(place));
    this.#ended = true;
    if (this.#stopReason !== undefined && isFailure(this.#stopReason)) {
      return [...open, { type: 'error', error: { kind: 'server', message: endedEarly(this.#stopReason) } }];
    }
    const reason = decodeStopReason(this.#stopReason, this.#called);
    const refusal: ChatEvent[] =
      this.#explanation === '' ? [] : [{ type: 'refusalDelta', index: this.#parts++, text: this.#explanation }];
    return [
      ...open,
      ...refusal,
      this.#lost.ending(defined({ type: 'finish' as const, reason, stopSequence: this.#stopSequence })),
    ];
  }
}

function outOfPlace(event: MessagesKnownEvent): ChatEvent {
  return { type: 'malformed', problem: 'This arrived before the start of the message.', data: event.type };
}

function kindOf({ type }: KnownResponseBlock): DecodedBlock['kind'] {
  if (type === 'tool_use') return 'toolCall';
  return type === 'text' ? 'text' : 'reasoning';
}
