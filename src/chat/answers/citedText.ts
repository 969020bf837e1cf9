import type { ChatEvent } from '../../formats/answer.ts';
import { defined } from '../../formats/json.ts';
import type { AnswerCitation } from '../../pages/chat/protocol.ts';

type CitationEvent = Extract<ChatEvent, { type: 'citation' }>;

/**
 * Places citations in the text of an answer, which consists of the texts of its parts. A citation without a span covers
 * the whole part, whose end is known when the next part begins.
 */
export class CitedText {
  /** The start of each part. Positions are in characters of the whole text. */
  readonly #starts = new Map<number, number>();
  #length: number;
  #part: number | undefined;
  #waiting: CitationEvent[] = [];

  /** @param length The length of the previous text if the answer is continued. */
  constructor(length: number) {
    this.#length = length;
  }

  /** Adds text to a part. Returns the citations of the previous part if this text begins another one. */
  add(part: number, text: string): readonly AnswerCitation[] {
    const placed = this.begin(part);
    this.#startOf(part);
    this.#length += text.length;
    return placed;
  }

  /** Begins another part, of text or of any other kind. Returns the citations of the part that ended. */
  begin(part: number): readonly AnswerCitation[] {
    if (part === this.#part) return [];
    this.#part = part;
    return this.end();
  }

  /** Returns the citations that can be placed now. */
  cite(event: CitationEvent): readonly AnswerCitation[] {
    const placed = this.begin(event.index);
    const start = this.#startOf(event.index);
    const { citation, span, proof } = event;
    if (span !== undefined) {
      const own = { start: start + span.start, end: start + span.end };
      return [...placed, { ...citation, span: own, ...defined({ proof }) }];
    }
    this.#waiting.push(event);
    return placed;
  }

  /** Ends the answer. Returns the citations that waited for the end of their part. */
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
