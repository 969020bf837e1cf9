import type { ChatEvent, ChatResponse } from '../../formats/answer.ts';
import type { AssistantPart, PlacedCitation, TextPart, TokenLogProb } from '../../formats/conversation.ts';
import { asLogProbs } from '../../formats/logProbs.ts';

type TextDelta = Extract<ChatEvent, { type: 'textDelta' }>;

/** Ends an answer where its text contains a stop sequence, for upstreams that do not support them. */
export class StopSequences {
  readonly #finders: readonly SequenceFinder[];
  /** The last text, if it could be the beginning of a sequence. */
  #held: TextDelta | undefined;
  /** Grows in place: copying the list for each event would take quadratic time. */
  #heldLogProbs: TokenLogProb[] = [];
  #stopped = false;

  constructor(sequences: readonly string[]) {
    const distinct = new Set(sequences.filter((sequence) => sequence !== ''));
    this.#finders = [...distinct].map((sequence) => new SequenceFinder(sequence));
  }

  event(event: ChatEvent): ChatEvent[] {
    if (this.#stopped) return event.type === 'usage' ? [event] : [];
    switch (event.type) {
      case 'textDelta':
        return this.#text(event);
      case 'start':
      case 'usage':
      case 'citation':
      case 'malformed':
        return [event];
      default:
        return [...this.#release(), event];
    }
  }

  /** Removes everything after the sequence, both text and tool calls. */
  response(response: ChatResponse): ChatResponse {
    const parts: AssistantPart[] = [];
    for (const part of response.parts) {
      this.#reset();
      const match = part.type === 'text' ? this.#find(part.text) : undefined;
      if (part.type !== 'text' || match === undefined) {
        parts.push(part);
        continue;
      }
      if (match.at > 0) parts.push(cut(part, match.at));
      return { ...response, parts, finishReason: 'stopSequence', stopSequence: match.sequence };
    }
    return response;
  }

  #text(delta: TextDelta): ChatEvent[] {
    const before = this.#held?.index === delta.index ? [] : this.#release();
    const { index } = delta;
    const heldText = this.#held?.text ?? '';
    const text = heldText + delta.text;
    const logProbs = this.#heldLogProbs;
    for (const logProb of delta.logProbs ?? []) logProbs.push(logProb);
    this.#held = undefined;
    this.#heldLogProbs = [];
    const match = this.#find(text, heldText.length);
    if (match !== undefined) {
      this.#stopped = true;
      const finish: ChatEvent = { type: 'finish', reason: 'stopSequence', stopSequence: match.sequence };
      return [...before, ...piece(index, text.slice(0, match.at), tokensWithin(logProbs, match.at)), finish];
    }
    const end = text.length - Math.max(0, ...this.#finders.map(({ fitting }) => fitting));
    const sent = end < text.length ? tokensWithin(logProbs, end) : logProbs;
    if (end < text.length) {
      this.#heldLogProbs = sent.length === 0 ? logProbs : logProbs.slice(sent.length);
      this.#held = { type: 'textDelta', index, text: text.slice(end), ...asLogProbs(this.#heldLogProbs) };
    }
    return [...before, ...piece(index, text.slice(0, end), sent)];
  }

  #release(): ChatEvent[] {
    const held = this.#held;
    this.#held = undefined;
    this.#heldLogProbs = [];
    this.#reset();
    return held === undefined ? [] : [held];
  }

  #reset(): void {
    for (const finder of this.#finders) finder.reset();
  }

  /**
   * Finds the sequence that ends first. If several end at the same position, returns the longest.
   * @param from the start of the part that was not searched yet.
   */
  #find(text: string, from = 0): { readonly at: number; readonly sequence: string } | undefined {
    for (let at = from; at < text.length; at += 1) {
      const length = this.#longestEnding(text.charCodeAt(at));
      if (length === 0) continue;
      const start = at + 1 - length;
      return { at: start, sequence: text.slice(start, at + 1) };
    }
    return undefined;
  }

  #longestEnding(code: number): number {
    let longest = 0;
    for (const finder of this.#finders) {
      if (finder.push(code)) longest = Math.max(longest, finder.sequence.length);
    }
    return longest;
  }
}

function piece(index: number, text: string, logProbs: readonly TokenLogProb[]): ChatEvent[] {
  return text === '' && logProbs.length === 0 ? [] : [{ type: 'textDelta', index, text, ...asLogProbs(logProbs) }];
}

/** Returns the first tokens that fit completely into this number of characters. */
function tokensWithin(logProbs: readonly TokenLogProb[], length: number): readonly TokenLogProb[] {
  let end = 0;
  const first = logProbs.findIndex(({ token }) => {
    end += token.length;
    return end > length;
  });
  return first === -1 ? logProbs : logProbs.slice(0, first);
}

function cut(part: TextPart, length: number): TextPart {
  const { citations = [], logProbs = [], ...rest } = part;
  const kept = citations.flatMap((cited) => cutCitation(cited, length));
  const tokens = asLogProbs(tokensWithin(logProbs, length));
  return { ...rest, text: part.text.slice(0, length), ...(kept.length > 0 && { citations: kept }), ...tokens };
}

function cutCitation({ citation, span }: PlacedCitation, length: number): PlacedCitation[] {
  if (span === undefined) return [{ citation }];
  return span.start >= length ? [] : [{ citation, span: { start: span.start, end: Math.min(span.end, length) } }];
}

/** Finds a sequence in a text that arrives in pieces, in one pass with the algorithm of Knuth, Morris, and Pratt. */
class SequenceFinder {
  readonly sequence: string;
  /** For each number of matching characters: how many still match if the next one does not. */
  readonly #fallbacks: Int32Array;
  #fitting = 0;

  /** @param sequence must not be empty. */
  constructor(sequence: string) {
    this.sequence = sequence;
    this.#fallbacks = new Int32Array(sequence.length + 1);
    for (let at = 1; at < sequence.length; at += 1) {
      this.#fallbacks[at + 1] = this.#after(this.#fallbacks[at] ?? 0, sequence.charCodeAt(at));
    }
  }

  /** Number of characters at the end of the text so far that match the beginning of the sequence. */
  get fitting(): number {
    return this.#fitting;
  }

  /** @returns whether the sequence ends with this character. */
  push(code: number): boolean {
    this.#fitting = this.#after(this.#fitting, code);
    return this.#fitting === this.sequence.length;
  }

  /** Must be called before another text. */
  reset(): void {
    this.#fitting = 0;
  }

  #after(fitting: number, code: number): number {
    let length = fitting;
    while (length > 0 && this.sequence.charCodeAt(length) !== code) length = this.#fallbacks[length] ?? 0;
    return this.sequence.charCodeAt(length) === code ? length + 1 : 0;
  }
}
