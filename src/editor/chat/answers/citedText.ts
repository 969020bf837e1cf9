import type { ChatEvent } from '../../../formats/conversation.ts';
import { defined } from '../../../formats/defined.ts';
import type { AnswerCitation } from '../protocol.ts';

type CitationEvent = Extract<ChatEvent, { type: 'citation' }>;

/**
 * Places citations in the text of an answer, which is that of its parts one after the other. One without a span stands
 * for the whole of its part, whose end is known when another begins.
 */
export class CitedText {
  /** Where each part begins. Lengths are in characters of the whole text. */
  readonly #starts = new Map<number, number>();
  #length: number;
  #part: number | undefined;
  #waiting: readonly CitationEvent[] = [];

  /** @param length of the text before, when the answer goes on. */
  constructor(length: number) {
    this.#length = length;
  }

  /** @returns the citations of the part that has ended with this. */
  add(part: number, text: string): readonly AnswerCitation[] {
    const placed = this.begin(part);
    this.#startOf(part);
    this.#length += text.length;
    return placed;
  }

  /** Another part begins, of text or of anything else. @returns the citations of the one that has ended with this. */
  begin(part: number): readonly AnswerCitation[] {
    if (part === this.#part) return [];
    this.#part = part;
    return this.end();
  }

  /** @returns the citation where its place is known already. */
  cite(event: CitationEvent): readonly AnswerCitation[] {
    const placed = this.begin(event.index);
    const start = this.#startOf(event.index);
    const { citation, span, proof } = event;
    if (span !== undefined) {
      const own = { start: start + span.start, end: start + span.end };
      return [...placed, { ...citation, span: own, ...defined({ proof }) }];
    }
    this.#waiting = [...this.#waiting, event];
    return placed;
  }

  /** Nothing more comes. @returns the citations that waited for the end of their part. */
  end(): readonly AnswerCitation[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting.map(({ index, citation, proof }) => {
      const start = this.#startOf(index);
      const span = start < this.#length ? { start, end: this.#length } : undefined;
      return { ...citation, ...defined({ span, proof }) };
    });
  }

  #startOf(part: number): number {
    const start = this.#starts.get(part) ?? this.#length;
    this.#starts.set(part, start);
    return start;
  }
}
