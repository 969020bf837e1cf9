import type { PartEvent } from '../answer.ts';
import { encodeCitation } from './citations.ts';
import type { BlockDelta, MessagesKnownEvent } from './eventSchema.ts';
import type { KnownResponseBlock, WireCitation } from './schema.ts';
import { encodeSignature, isRedacted } from './thinking.ts';

interface QueuedBlock {
  /** Index of the neutral part. */
  readonly index: number;
  readonly start: KnownResponseBlock;
  /** Deltas that have not been sent yet. */
  readonly waiting: BlockDelta[];
  readonly freeForm: boolean;
  opened: boolean;
  /** Whether the block is complete. */
  complete: boolean;
}

/**
 * Content blocks in the format's order, with one open block at a time. The block at the head of the queue
 * is streamed; deltas of later blocks wait until all blocks before them are complete.
 */
export class BlockQueue {
  readonly #queue: QueuedBlock[] = [];
  /** Position of the head in the queue. */
  #head = 0;
  /** Incomplete blocks by the index of their neutral part. An answer can have thousands of unfinished calls. */
  readonly #open = new Map<number, QueuedBlock>();
  /** The incomplete block that is not a tool call. Each block that starts completes the one before. */
  #text: QueuedBlock | undefined;
  #closed = 0;
  /** Citations by the index of a neutral text part that has not started. */
  readonly #cited = new Map<number, WireCitation[]>();
  #called = false;

  get hasCalls(): boolean {
    return this.#called;
  }

  /**
   * Whether citations are left that no block can take: their text never arrived, or other blocks have started since.
   */
  get hasUncited(): boolean {
    return this.#cited.size > 0;
  }

  /** @returns the index of the block to which more text of this part is streamed; undefined if the text has to wait. */
  openText(index: number): number | undefined {
    const head = this.#queue[this.#head];
    const isOpen = head?.opened === true && !head.complete && head.start.type === 'text';
    return isOpen && head.index === index ? this.#closed : undefined;
  }

  push(event: PartEvent): MessagesKnownEvent[] {
    this.#add(event);
    return this.#advance();
  }

  flush(): MessagesKnownEvent[] {
    for (const block of this.#open.values()) this.#complete(block);
    return this.#advance();
  }

  #add(event: PartEvent): void {
    switch (event.type) {
      case 'textDelta':
      case 'refusalDelta':
        if (event.text !== '') this.#addText(event.index, event.text);
        return;
      case 'citation': {
        const citation = encodeCitation(event);
        if (citation !== undefined) this.#cite(event.index, citation);
        return;
      }
      case 'reasoningDelta':
        if (event.text === '') return;
        this.#thinking(event.index).waiting.push({ type: 'thinking_delta', thinking: event.text });
        return;
      case 'reasoningSeal':
        this.#seal(event);
        return;
      case 'toolCallStart':
        this.#startCall(event);
        return;
      case 'toolCallDelta':
        this.#addArguments(event.index, event.arguments);
        return;
      case 'toolCallEnd': {
        const block = this.#open.get(event.index);
        if (block !== undefined) this.#complete(block);
        return;
      }
    }
  }

  /**
   * Returns the block of this part. If there is none, starts it, which completes all earlier blocks except tool calls.
   */
  #block(index: number, start: KnownResponseBlock, freeForm = false): QueuedBlock {
    const known = this.#open.get(index);
    if (known !== undefined) return known;
    if (this.#text !== undefined) this.#complete(this.#text);
    const block: QueuedBlock = { index, start, waiting: [], freeForm, opened: false, complete: false };
    this.#queue.push(block);
    this.#open.set(index, block);
    if (start.type !== 'tool_use') this.#text = block;
    return block;
  }

  #addText(index: number, text: string): void {
    const { waiting } = this.#block(index, { type: 'text', text: '' });
    waiting.push({ type: 'text_delta', text });
    if (this.#cited.size === 0) return;
    for (const citation of this.#cited.get(index) ?? []) waiting.push({ type: 'citations_delta', citation });
    this.#cited.delete(index);
  }

  /** Adds a citation, which waits for its text, because services reject a block without text when it is sent back. */
  #cite(index: number, citation: WireCitation): void {
    const block = this.#open.get(index);
    if (block !== undefined) block.waiting.push({ type: 'citations_delta', citation });
    else this.#cited.set(index, [...(this.#cited.get(index) ?? []), citation]);
  }

  #thinking(index: number): QueuedBlock {
    return this.#block(index, { type: 'thinking', thinking: '', signature: '' });
  }

  #seal({ index, type: _, ...seal }: Extract<PartEvent, { type: 'reasoningSeal' }>): void {
    const reasoning = { ...seal, text: '' };
    if (this.#open.get(index) === undefined && isRedacted(reasoning)) {
      this.#complete(this.#block(index, { type: 'redacted_thinking', data: reasoning.encrypted }));
      return;
    }
    const signature = encodeSignature(seal);
    if (signature === '') return;
    const block = this.#thinking(index);
    block.waiting.push({ type: 'signature_delta', signature });
    this.#complete(block);
  }

  #startCall({ index, id, name, freeForm }: Extract<PartEvent, { type: 'toolCallStart' }>): void {
    this.#called = true;
    const block = this.#block(index, { type: 'tool_use', id, name, input: {} }, freeForm === true);
    if (freeForm) block.waiting.push({ type: 'input_json_delta', partial_json: '{"input":"' });
  }

  #addArguments(index: number, text: string): void {
    const block = this.#open.get(index);
    if (block?.start.type !== 'tool_use' || text === '') return;
    const partial_json = block.freeForm ? JSON.stringify(text).slice(1, -1) : text;
    block.waiting.push({ type: 'input_json_delta', partial_json });
  }

  #advance(): MessagesKnownEvent[] {
    const events: MessagesKnownEvent[] = [];
    for (let head = this.#queue[this.#head]; head !== undefined; head = this.#queue[this.#head]) {
      const index = this.#closed;
      if (!head.opened) events.push({ type: 'content_block_start', index, content_block: head.start });
      head.opened = true;
      for (const delta of head.waiting.splice(0)) events.push({ type: 'content_block_delta', index, delta });
      if (!head.complete) return events;
      events.push({ type: 'content_block_stop', index });
      this.#closed += 1;
      this.#head += 1;
    }
    this.#queue.length = 0;
    this.#head = 0;
    return events;
  }

  /** @param block an incomplete one. */
  #complete(block: QueuedBlock): void {
    if (block.freeForm) block.waiting.push({ type: 'input_json_delta', partial_json: '"}' });
    block.complete = true;
    this.#open.delete(block.index);
    if (this.#text === block) this.#text = undefined;
  }
}
