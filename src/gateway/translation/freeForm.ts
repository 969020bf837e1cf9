/** Converts free-form tools to functions with one string `input`, for upstreams that support only functions. */
import type { Tool } from '../../formats/conversation.ts';
import { type JsonObject, parseJson } from '../../formats/json.ts';

export function asFunction({ freeForm: _, grammar, ...tool }: Tool): Tool {
  const input = { type: 'string', description: 'The whole input of the tool, as plain text.' };
  const parameters: JsonObject = {
    type: 'object',
    properties: { input },
    required: ['input'],
    additionalProperties: false,
  };
  const description = [tool.description, describeGrammar(grammar)].filter(Boolean).join('\n\n');
  return { ...tool, ...(description !== '' && { description }), parameters };
}

/** A grammar cannot be enforced for a function, but it can be described to the model. */
function describeGrammar(grammar: JsonObject | undefined): string {
  const definition = grammar?.definition;
  if (typeof definition !== 'string') return '';
  const syntax = typeof grammar?.syntax === 'string' ? ` (${grammar.syntax})` : '';
  return `The input must follow this grammar${syntax}:\n\n${definition}`;
}

export function asArguments(input: string): string {
  return JSON.stringify({ input });
}

/**
 * Returns the input contained in a function's arguments. Also accepts arguments that do not quite follow the schema.
 */
export function inputIn(json: string): string {
  const value = parseJson(json);
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return json;
  if ('input' in value && typeof value.input === 'string') return value.input;
  const members = Object.values(value);
  return members.length === 1 && typeof members[0] === 'string' ? members[0] : json;
}

const OPENING = /^\s*\{\s*"input"\s*:\s*"/;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** Extracts the string from `{"input":"..."}` while it is being streamed, split at any character. */
export class InputReader {
  /** Everything received so far, until it is known to have that form. */
  #unread = '';
  #state: 'before' | 'inside' | 'after' = 'before';
  /** The beginning of an escape sequence or a surrogate pair. */
  #pending = '';

  push(json: string): string {
    if (this.#state === 'after') return '';
    if (this.#state === 'inside') return this.#read(json);
    this.#unread += json;
    const opening = OPENING.exec(this.#unread);
    if (opening === null) return '';
    this.#state = 'inside';
    return this.#read(this.#unread.slice(opening[0].length));
  }

  /** Returns the rest when the arguments are complete. */
  end(): string {
    if (this.#state !== 'before') return '';
    this.#state = 'after';
    return this.#unread.trim() === '' ? '' : inputIn(this.#unread);
  }

  #read(piece: string): string {
    const json = this.#pending + piece;
    this.#pending = '';
    let text = '';
    for (let at = 0; at < json.length; ) {
      const character = json[at] ?? '';
      if (character === '"') {
        this.#state = 'after';
        return text;
      }
      const length = character !== '\\' ? 1 : json[at + 1] === 'u' ? 6 : 2;
      if (at + length > json.length) {
        this.#pending = json.slice(at);
        break;
      }
      text += length === 1 ? character : characterOf(json.slice(at + 1, at + length));
      at += length;
    }
    return this.#withoutHalf(text);
  }

  /** Holds back half of a surrogate pair, as an escape sequence, until the other half arrives. */
  #withoutHalf(text: string): string {
    if (!HIGH_SURROGATE.test(text)) return text;
    const code = text.charCodeAt(text.length - 1).toString(16);
    if (this.#pending === '' || this.#pending.startsWith('\\')) this.#pending = `\\u${code}${this.#pending}`;
    return text.slice(0, -1);
  }
}

/** @param code the characters after the backslash. */
function characterOf(code: string): string {
  if (code.startsWith('u')) return String.fromCharCode(Number.parseInt(code.slice(1), 16) || 0);
  return SIMPLE_ESCAPES[code] ?? code;
}
