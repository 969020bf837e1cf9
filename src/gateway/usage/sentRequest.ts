import type { FormatName } from '../../formats/conversation.ts';
import { type JsonRecord, parseJson } from '../../formats/json.ts';
import type { CountedModel } from '../../ledger/outputSpeeds.ts';
import type { Endpoint } from '../core/endpoint.ts';
import { FALLBACK_OPTIONS, FALLBACKS, fallbackLists } from '../core/fallbackModels.ts';
import { BYTES_PER_TOKEN, type UsageEstimator } from '../core/usageEstimator.ts';
import { shortObject } from '../http/jsonBody.ts';
import { ObjectScanner } from '../http/objectScanner.ts';
import { WordSearch } from '../http/wordSearch.ts';

/** The tokens of longer bodies are estimated from their length. */
const MAX_KEPT_BODY = 1024 * 1024;

/**
 * Members that make a service search the web for an answer that may not show it: a chat completion, or a response that is
 * too long to be held.
 */
const SEARCH_OPTIONS: Readonly<Record<FormatName, readonly SearchOption[]>> = {
  'chat-completions': [searchOption('web_search_options'), searchOption('search_parameters')],
  messages: [],
  responses: [searchOption('web_search')],
};

/** The members that can name fallback models. */
const WANTED: ReadonlySet<string> = new Set([...FALLBACKS, ...FALLBACK_OPTIONS]);
/** Each of {@link FALLBACKS} begins with one of these. */
const SEARCHES = ['"models"', '"fallback'].map((word) => new WordSearch(word));

interface SearchOption {
  readonly name: string;
  readonly word: WordSearch;
}

export interface SentBody {
  readonly endpoint: Endpoint;
  /** Undefined if the body was streamed. */
  readonly body?: Buffer | undefined;
  /** Length of the body. */
  readonly bytes: number;
}

/** What is kept of a request to a model until its usage is known. */
export class SentRequest {
  readonly #endpoint: Endpoint;
  readonly #bytes: number;
  readonly #body: Buffer | undefined;
  /** Fallback models of a body that is not kept. */
  #fallbackModels: readonly string[] = [];

  constructor({ endpoint, body, bytes }: SentBody) {
    this.#endpoint = endpoint;
    this.#bytes = bytes;
    if (bytes <= MAX_KEPT_BODY) this.#body = body;
    else if (body !== undefined) this.passed(body);
  }

  /** Called after a streamed body was sent. */
  passed(body: Buffer): void {
    this.#fallbackModels = fallbackModels(body);
  }

  /** Models that the service may have asked instead. */
  get fallbackModels(): readonly string[] {
    return this.#body === undefined ? this.#fallbackModels : fallbackModels(this.#body);
  }

  /** The number of tokens that the body has by its length. */
  get approximateTokens(): number {
    return Math.ceil(this.#bytes / BYTES_PER_TOKEN);
  }

  tokens(estimator: UsageEstimator, model: CountedModel): number | Promise<number> {
    if (this.#body === undefined) return this.approximateTokens;
    return estimator.input({ ...model, endpoint: this.#endpoint, body: this.#body });
  }

  /** Whether the service may search the web, because of options that a format has only for that. */
  mayMakeSearches(format: FormatName): boolean {
    if (this.#body === undefined) return false;
    const body = this.#body;
    const short = format === 'chat-completions' ? shortObject(body) : undefined;
    for (const { name, word } of SEARCH_OPTIONS[format])
      if (short === undefined ? word.isIn(body) : short[name] !== undefined) return true;
    return false;
  }
}

function searchOption(name: string): SearchOption {
  return { name, word: new WordSearch(`"${name}`) };
}

/** Returns the names of fallback models in a request that was not validated: every string that may be a name. */
function fallbackModels(bytes: Buffer): readonly string[] {
  const body = shortObject(bytes) ?? foundMembers(bytes);
  for (const name of WANTED) if (body[name] !== undefined) return [...new Set(fallbackLists(body).flatMap(textsIn))];
  return [];
}

/** Only bodies that contain one of the words are searched for the members, which few do, and only these are parsed. */
function foundMembers(bytes: Buffer): JsonRecord {
  if (!SEARCHES.some((search) => search.isIn(bytes))) return {};
  const scanner = new ObjectScanner();
  scanner.push(bytes);
  const wanted = scanner.members.filter(({ name }) => WANTED.has(name));
  const values = wanted.map(({ name, start, end }) => [name, parseJson(bytes.toString('utf8', start, end))]);
  return Object.fromEntries(values);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  const values: readonly unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return values.flatMap(textsIn);
}
