import type { OutgoingHttpHeaders } from 'node:http';
import { isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import { PassingSink } from '../core/passingSink.ts';
import type { AnswerSink, Endpoint, UpstreamCall, UpstreamRequest } from '../core/upstream.ts';
import { WrappedUpstream } from '../core/wrappedUpstream.ts';
import { endOfLastEvent } from '../http/eventBounds.ts';
import { isEventStream } from '../http/headers.ts';

const OPEN = '<think>';
const CLOSE = '</think>';

/** Servers without a parser for reasoning write it into the text, between tags. */
export class ThinkTagsUpstream extends WrappedUpstream {
  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const isChat = request.endpoint === ('/chat/completions' satisfies Endpoint);
    return this.inner.send(request, isChat ? new ThinkTagsSink(sink) : sink);
  }
}

interface DividedText {
  readonly reasoning: string;
  readonly text: string;
}

/** Divides a text that arrives in pieces. A beginning of a tag at the end of a piece is held back. */
export class ThinkTags {
  #isReasoning = false;
  #held = '';
  /** White space directly after a closing tag is not a part of the text. */
  #trims = false;

  push(text: string): DividedText {
    let rest = this.#held + text;
    const piece = { reasoning: '', text: '' };
    for (;;) {
      const tag = this.#isReasoning ? CLOSE : OPEN;
      const at = rest.indexOf(tag);
      if (at === -1) break;
      this.#add(piece, rest.slice(0, at));
      rest = rest.slice(at + tag.length);
      this.#trims = this.#isReasoning;
      this.#isReasoning = !this.#isReasoning;
    }
    const kept = beginningAtEnd(rest, this.#isReasoning ? CLOSE : OPEN);
    this.#held = rest.slice(rest.length - kept);
    this.#add(piece, rest.slice(0, rest.length - kept));
    return piece;
  }

  end(): DividedText {
    const piece = { reasoning: '', text: '' };
    this.#add(piece, this.#held);
    this.#held = '';
    return piece;
  }

  #add(piece: { reasoning: string; text: string }, added: string): void {
    if (this.#isReasoning) {
      piece.reasoning += added;
      return;
    }
    const text = this.#trims ? added.trimStart() : added;
    if (text !== '') this.#trims = false;
    piece.text += text;
  }
}

/** Returns the length of the longest beginning of the tag with which the text ends. */
function beginningAtEnd(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}

/** Writes the text between the tags of a chat-completions answer as `reasoning_content`. */
class ThinkTagsSink extends PassingSink {
  #isStream = false;
  #isWhole = false;
  #held = Buffer.alloc(0);
  /** By the index of the choice. */
  readonly #tags = new Map<number, ThinkTags>();
  /** The last chunk with a choice, as the form of one with the text that was held back. */
  #last: JsonRecord | undefined;

  override start(status: number, headers: OutgoingHttpHeaders): void {
    this.#isStream = status < 300 && isEventStream(headers);
    this.#isWhole = status < 300 && !this.#isStream && headers['content-encoding'] === undefined;
    const { 'content-length': _, ...rest } = headers;
    super.start(status, this.#isWhole ? rest : headers);
  }

  override data(chunk: Buffer): boolean {
    if (!this.#isStream && !this.#isWhole) return super.data(chunk);
    this.#held = Buffer.concat([this.#held, chunk]);
    if (this.#isWhole) return true;
    const end = endOfLastEvent(this.#held);
    const events = this.#held.subarray(0, end).toString();
    this.#held = this.#held.subarray(end);
    return events === '' || super.data(Buffer.from(this.#divided(events)));
  }

  override end(): void {
    const rest = this.#held.toString();
    this.#held = Buffer.alloc(0);
    const text = this.#isWhole ? dividedAnswer(rest) : this.#divided(rest) + this.#rest();
    if (text !== '') super.data(Buffer.from(text));
    super.end();
  }

  #divided(events: string): string {
    return events
      .split(/(\r?\n)/)
      .map((line) => (line.startsWith('data:') ? this.#line(line) : line))
      .join('');
  }

  #line(line: string): string {
    const data = line.slice('data:'.length).trim();
    const chunk = data.startsWith('{') ? parseJson(data) : undefined;
    if (!isRecord(chunk) || !Array.isArray(chunk.choices)) {
      const rest = data === '[DONE]' ? this.#rest() : '';
      return `${rest}${line}`;
    }
    const given: readonly unknown[] = chunk.choices;
    const choices = given.map((choice) => this.#choice(choice));
    if (choices.length > 0) this.#last = chunk;
    return choices.some((choice, nth) => choice !== given[nth])
      ? `data: ${JSON.stringify({ ...chunk, choices })}`
      : line;
  }

  #choice(choice: unknown): unknown {
    if (!isRecord(choice) || !isRecord(choice.delta)) return choice;
    const { delta, finish_reason: reason } = choice;
    const index = Number(choice.index ?? 0);
    const tags = this.#tags.get(index) ?? new ThinkTags();
    this.#tags.set(index, tags);
    const written = typeof delta.content === 'string' ? tags.push(delta.content) : NO_PIECE;
    const rest = typeof reason === 'string' ? tags.end() : NO_PIECE;
    const piece = { reasoning: written.reasoning + rest.reasoning, text: written.text + rest.text };
    if (piece.reasoning === '' && piece.text === (delta.content ?? '')) return choice;
    return { ...choice, delta: withPiece(delta, piece) };
  }

  /** Returns an event with what was held back, for a stream that ends without a finish reason. */
  #rest(): string {
    const choices = [...this.#tags].flatMap(([index, tags]) => {
      const piece = tags.end();
      return piece.text + piece.reasoning === '' ? [] : [{ index, delta: withPiece({}, piece), finish_reason: null }];
    });
    if (choices.length === 0 || this.#last === undefined) return '';
    return `data: ${JSON.stringify({ ...this.#last, choices })}\n\n`;
  }
}

const NO_PIECE: DividedText = { reasoning: '', text: '' };

function withPiece({ content: _, ...delta }: JsonRecord, { reasoning, text }: DividedText): JsonRecord {
  return {
    ...delta,
    ...(text !== '' && { content: text }),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
  };
}

function dividedAnswer(body: string): string {
  const answer = parseJson(body);
  if (!isRecord(answer) || !Array.isArray(answer.choices)) return body;
  const choices = answer.choices.map((choice: unknown) => {
    if (!isRecord(choice) || !isRecord(choice.message) || typeof choice.message.content !== 'string') return choice;
    const tags = new ThinkTags();
    const [piece, rest] = [tags.push(choice.message.content), tags.end()];
    const reasoning = piece.reasoning + rest.reasoning;
    if (reasoning === '') return choice;
    return { ...choice, message: { ...choice.message, content: piece.text + rest.text, reasoning_content: reasoning } };
  });
  return JSON.stringify({ ...answer, choices });
}
