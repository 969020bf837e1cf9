import type { PlacedCitation, TokenLogProb } from '../conversation.ts';
import { encodeLogProbs } from '../logProbs.ts';
import { encodeAnnotation } from './annotations.ts';
import type { ResponsesAnnotation } from './contentSchema.ts';
import type { ResponsesEvent } from './eventSchema.ts';
import { added, type DraftItem, done, type ItemPlace, type ItemStatus } from './outputItems.ts';
import type { OutputItem } from './schema.ts';

type OutputPartKind = 'text' | 'refusal';
interface OutputPart {
  /** Index of the neutral part. */
  readonly index: number;
  readonly kind: OutputPartKind;
  text: string;
  readonly annotations: ResponsesAnnotation[];
  /** Citations of the whole text, whose length is only known at its end. */
  readonly ofAll: PlacedCitation[];
  readonly logProbs: TokenLogProb[];
}
/** Consecutive text and refusals are the content of one message. */
export class DraftMessage implements DraftItem {
  readonly #place: ItemPlace;
  readonly #parts: OutputPart[] = [];
  #status: ItemStatus = 'in_progress';

  constructor(place: ItemPlace) {
    this.#place = place;
  }

  wire(): OutputItem {
    const content = this.#parts.map(encodePart);
    return { id: this.#place.item_id, type: 'message', status: this.#status, role: 'assistant', content };
  }

  open(): ResponsesEvent[] {
    return [added(this.#place, this.wire())];
  }

  /** Adds a delta of the neutral part `index`. A new part starts a new content. */
  add(index: number, kind: OutputPartKind, delta: string, logProbs: readonly TokenLogProb[] = []): ResponsesEvent[] {
    const last = this.#parts.at(-1);
    if (last?.index === index && last.kind === kind) {
      last.text += delta;
      last.logProbs.push(...logProbs);
      return [this.#delta(kind, delta, logProbs)];
    }
    const closing = this.#closeContent();
    const part: OutputPart = { index, kind, text: '', annotations: [], ofAll: [], logProbs: [] };
    this.#parts.push(part);
    const opening = { type: 'response.content_part.added', ...this.#contentPlace(), part: encodePart(part) };
    return [...closing, opening, ...this.add(index, kind, delta, logProbs)];
  }

  /** @returns undefined if the text of the neutral part `index` is not open. */
  cite(index: number, cited: PlacedCitation): ResponsesEvent[] | undefined {
    const last = this.#parts.at(-1);
    if (last?.index !== index || last.kind !== 'text') return undefined;
    if (cited.span !== undefined) return this.#annotate(last, cited);
    last.ofAll.push(cited);
    return [];
  }

  close(status: ItemStatus): ResponsesEvent[] {
    this.#status = status;
    return [...this.#closeContent(), done(this.#place, this.wire())];
  }

  #contentPlace() {
    return { ...this.#place, content_index: this.#parts.length - 1 };
  }

  #annotate(part: OutputPart, cited: PlacedCitation): ResponsesEvent[] {
    const annotation = encodeAnnotation(cited, part.text.length);
    if (annotation === undefined) return [];
    const annotation_index = part.annotations.push(annotation) - 1;
    return [{ type: 'response.output_text.annotation.added', ...this.#contentPlace(), annotation_index, annotation }];
  }

  #delta(kind: OutputPartKind, delta: string, logProbs: readonly TokenLogProb[]): ResponsesEvent {
    return kind === 'text'
      ? { type: 'response.output_text.delta', ...this.#contentPlace(), delta, logprobs: encodeLogProbs(logProbs) }
      : { type: 'response.refusal.delta', ...this.#contentPlace(), delta };
  }

  #closeContent(): ResponsesEvent[] {
    const last = this.#parts.at(-1);
    if (last === undefined) return [];
    const { kind, text, logProbs } = last;
    const place = this.#contentPlace();
    const cited = last.ofAll.splice(0).flatMap((citation) => this.#annotate(last, citation));
    const whole: ResponsesEvent =
      kind === 'text'
        ? { type: 'response.output_text.done', ...place, text, logprobs: encodeLogProbs(logProbs) }
        : { type: 'response.refusal.done', ...place, refusal: text };
    return [...cited, whole, { type: 'response.content_part.done', ...place, part: encodePart(last) }];
  }
}
function encodePart({ kind, text, annotations, logProbs }: OutputPart) {
  return kind === 'text'
    ? { type: 'output_text', text, annotations: [...annotations], logprobs: encodeLogProbs(logProbs) }
    : { type: 'refusal', refusal: text };
}
