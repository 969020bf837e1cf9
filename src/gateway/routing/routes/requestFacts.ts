import { isRecord } from '../../../formats/json.ts';
import type { UpstreamRequest } from '../../core/upstream.ts';
import { asBuffer } from '../../http/asBuffer.ts';
import { parseJsonBody } from '../../http/jsonBody.ts';
import { QuotedWord } from '../../http/quotedWord.ts';
import type { RouteRule } from './routeEntry.ts';
import { type RouteFacts, ruleFits } from './routeTable.ts';

/** The types of content parts that are images, in the three formats. */
const IMAGE_TYPES: ReadonlySet<unknown> = new Set(['image', 'image_url', 'input_image']);
const IMAGE_WORDS = [...IMAGE_TYPES].map((type) => new QuotedWord(String(type)));
const TOOLS = new QuotedWord('tools');
const BYTES_PER_TOKEN = 4;
/** As vendors count a picture of ordinary size, whatever its bytes. */
const TOKENS_PER_IMAGE = 1_600;

type RoutedRequest = Pick<UpstreamRequest, 'body' | 'json' | 'session'>;

/**
 * What the rules of a route ask about a request. Each fact is read when a rule first asks for it, and the body is parsed
 * only if its bytes contain the word in question: most requests are decided by a search.
 */
export class RequestFacts implements RouteFacts {
  readonly #request: RoutedRequest;
  readonly #body: Buffer;
  #json: unknown;
  #imageCount: number | undefined;

  constructor(request: RoutedRequest) {
    this.#request = request;
    this.#body = asBuffer(request.body ?? new Uint8Array());
    this.#json = request.json;
  }

  readonly fit = (rule: RouteRule): boolean => ruleFits(rule, this);

  get requestClass(): string | undefined {
    return this.#request.session?.requestClass;
  }

  get agentType(): string | undefined {
    return this.#request.session?.agentType;
  }

  /** An estimate of the input tokens. */
  get tokens(): number {
    const images = this.#body.length / BYTES_PER_TOKEN < TOKENS_PER_IMAGE ? 0 : this.#images;
    if (images === 0) return Math.ceil(this.#body.length / BYTES_PER_TOKEN);
    return Math.ceil(textLength(this.#parsed) / BYTES_PER_TOKEN) + images * TOKENS_PER_IMAGE;
  }

  get hasImage(): boolean {
    return this.#images > 0;
  }

  /** Whether it offers any tool. */
  get hasTools(): boolean {
    if (TOOLS.indexIn(this.#body) === -1) return false;
    const { tools } = isRecord(this.#parsed) ? this.#parsed : {};
    return Array.isArray(tools) && tools.length > 0;
  }

  /** @param tool the name of a function, or the type of a hosted tool without its date. */
  offersTool(tool: string): boolean {
    if (new QuotedWord(tool).indexIn(this.#body) === -1 && !this.#body.includes(`"${tool}_`)) return false;
    const { tools } = isRecord(this.#parsed) ? this.#parsed : {};
    return Array.isArray(tools) && tools.some((each) => isTool(each, tool));
  }

  get #images(): number {
    const mayHave = IMAGE_WORDS.some((word) => word.indexIn(this.#body) !== -1);
    this.#imageCount ??= mayHave ? countImages(this.#parsed) : 0;
    return this.#imageCount;
  }

  get #parsed(): unknown {
    this.#json ??= parseJsonBody(this.#body);
    return this.#json;
  }
}

function isTool(entry: unknown, wanted: string): boolean {
  if (!isRecord(entry)) return false;
  const { name, type, function: declared } = entry;
  const ofFunction = isRecord(declared) ? declared.name : undefined;
  return name === wanted || ofFunction === wanted || type === wanted || isDated(type, wanted);
}

/** Such as `web_search_20250305`. */
function isDated(type: unknown, wanted: string): boolean {
  return typeof type === 'string' && type.startsWith(`${wanted}_`) && /^\d{6,8}$/.test(type.slice(wanted.length + 1));
}

/** Of the conversation alone: schemas of tools may have members of the same names. */
function countImages(body: unknown): number {
  if (!isRecord(body)) return 0;
  let count = 0;
  const waiting: unknown[] = [body.messages, body.input];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) waiting.push(...value);
    else if (isRecord(value) && IMAGE_TYPES.has(value.type)) count += 1;
    else if (isRecord(value)) waiting.push(value.content, value.output);
  }
  return count;
}

/** In characters of JSON, without the data of images. */
function textLength(body: unknown): number {
  return JSON.stringify(body, (_, value) => (isRecord(value) && IMAGE_TYPES.has(value.type) ? {} : value)).length;
}
