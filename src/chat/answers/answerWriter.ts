import type { AnswerDelta } from '../../pages/chat/protocol.ts';
import { DelayedCall } from '../../rules/delayedCall.ts';
import type { AnswerEnd, ConversationRecord } from '../conversation/record.ts';

/** The minimum interval between deltas to the panel: about one per frame. In milliseconds. */
const PANEL_MS = 16;

/**
 * The minimum interval between writes to the file, and the most of an answer that a crash can lose. In milliseconds.
 */
const FILE_MS = 200;

export interface AnswerSinks {
  readonly toPanel: (delta: AnswerDelta) => void;
  readonly toFile: (record: ConversationRecord) => void;
}

/** Combines the deltas of one answer into few messages to the panel and fewer writes to the file. */
export class AnswerWriter {
  readonly #id: string;
  readonly #sinks: AnswerSinks;
  readonly #panel: DeltaBuffer;
  readonly #file: DeltaBuffer;

  constructor(answerId: string, sinks: AnswerSinks) {
    this.#id = answerId;
    this.#sinks = sinks;
    this.#panel = new DeltaBuffer(PANEL_MS, sinks.toPanel);
    this.#file = new DeltaBuffer(FILE_MS, (delta) => sinks.toFile({ type: 'delta', id: answerId, ...delta }));
  }

  write(delta: AnswerDelta): void {
    this.#panel.add(delta);
    this.#file.add(delta);
  }

  /** Writes the remaining deltas, then the end. */
  finish(end: AnswerEnd): void {
    this.#panel.flush();
    this.#file.flush();
    this.#sinks.toFile({ type: 'answerEnd', id: this.#id, ...end });
  }
}

/** Collects text. A tool call or a citation is emitted on its own, after the text before it. */
class DeltaBuffer {
  readonly #flushing: DelayedCall;
  readonly #emit: (delta: AnswerDelta) => void;
  #text = '';
  #reasoning = '';
  #refusal = '';

  constructor(everyMs: number, emit: (delta: AnswerDelta) => void) {
    this.#flushing = new DelayedCall(() => this.flush(), everyMs);
    this.#emit = emit;
  }

  add({ text = '', reasoning = '', refusal = '', ...whole }: AnswerDelta): void {
    this.#text += text;
    this.#reasoning += reasoning;
    this.#refusal += refusal;
    if (Object.keys(whole).length === 0) {
      this.#flushing.soon();
      return;
    }
    this.flush();
    this.#emit(whole);
  }

  flush(): void {
    this.#flushing.cancel();
    const [text, reasoning, refusal] = [this.#text, this.#reasoning, this.#refusal];
    if (text === '' && reasoning === '' && refusal === '') return;
    this.#text = '';
    this.#reasoning = '';
    this.#refusal = '';
    this.#emit({
      ...(text !== '' && { text }),
      ...(reasoning !== '' && { reasoning }),
      ...(refusal !== '' && { refusal }),
    });
  }
}
