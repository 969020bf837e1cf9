import type { AnswerEnd, ConversationRecord } from './conversation/record.ts';

/** Deltas reach the panel at most this often: about once a frame. In milliseconds. */
const PANEL_MS = 16;

/** And the file at most this often: a crash loses no more than this much of an answer. In milliseconds. */
const FILE_MS = 200;

export interface AnswerSinks {
  readonly toPanel: (delta: Delta) => void;
  readonly toFile: (record: ConversationRecord) => void;
}

export interface Delta {
  readonly text?: string;
  readonly reasoning?: string;
}

/** Gathers the deltas of one answer into few messages to the panel and fewer writes to the file. */
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

  write(delta: Delta): void {
    this.#panel.add(delta);
    this.#file.add(delta);
  }

  /** Writes what is left, then the end. */
  finish(end: AnswerEnd): void {
    this.#panel.flush();
    this.#file.flush();
    this.#sinks.toFile({ type: 'answerEnd', id: this.#id, ...end });
  }
}

class DeltaBuffer {
  readonly #everyMs: number;
  readonly #emit: (delta: Delta) => void;
  #text = '';
  #reasoning = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs: number, emit: (delta: Delta) => void) {
    this.#everyMs = everyMs;
    this.#emit = emit;
  }

  add({ text = '', reasoning = '' }: Delta): void {
    this.#text += text;
    this.#reasoning += reasoning;
    this.#timer ??= setTimeout(() => this.flush(), this.#everyMs);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [text, reasoning] = [this.#text, this.#reasoning];
    if (text === '' && reasoning === '') return;
    this.#text = '';
    this.#reasoning = '';
    this.#emit({ ...(text !== '' && { text }), ...(reasoning !== '' && { reasoning }) });
  }
}
