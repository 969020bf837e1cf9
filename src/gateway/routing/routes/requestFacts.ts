import type { UpstreamRequest } from '../../core/upstream.ts';
import { asBuffer } from '../../http/asBuffer.ts';
import { WordSearch } from '../../http/wordSearch.ts';
import { type Images, imagesIn, type OfferedTool, toolsIn } from './bodyParts.ts';
import type { RouteRule } from './routeEntry.ts';
import { type RouteFacts, ruleFits } from './routeTable.ts';

/** Part of the types of image parts: `image`, `image_url`, and `input_image`. */
const IMAGE = new WordSearch('image');
const BEFORE_IMAGE = /"(?:input_)?$/;
const BEHIND_IMAGE = /^(?:_url)?"/;
const TOOLS = new WordSearch('"tools"');
const BYTES_PER_TOKEN = 4;
/** Vendors count about this many tokens for a picture of ordinary size, independently of its bytes. */
const TOKENS_PER_IMAGE = 1_600;
const NO_IMAGES: Images = { count: 0, bytes: 0 };

type RoutedRequest = Pick<UpstreamRequest, 'body' | 'session'>;

/**
 * The facts about a request that a route's rules depend on. Each fact is read when a rule first needs it. The members
 * of the body are visited only if its bytes contain the relevant word, so that a search is enough for most requests.
 */
export class RequestFacts implements RouteFacts {
  readonly #request: RoutedRequest;
  readonly #body: Buffer;
  #images: Images | undefined;
  #tools: readonly OfferedTool[] | undefined;

  constructor(request: RoutedRequest) {
    this.#request = request;
    this.#body = asBuffer(request.body ?? new Uint8Array());
  }

  readonly fit = (rule: RouteRule): boolean => ruleFits(rule, this);

  get requestClass(): string | undefined {
    return this.#request.session?.requestClass;
  }

  get agentType(): string | undefined {
    return this.#request.session?.agentType;
  }

  /** Estimated number of input tokens. */
  get tokens(): number {
    const { count, bytes } = this.#body.length / BYTES_PER_TOKEN < TOKENS_PER_IMAGE ? NO_IMAGES : this.#allImages;
    return Math.ceil((this.#body.length - bytes) / BYTES_PER_TOKEN) + count * TOKENS_PER_IMAGE;
  }

  get hasImage(): boolean {
    return this.#allImages.count > 0;
  }

  /** Whether the request offers any tool. */
  get hasTools(): boolean {
    return TOOLS.isIn(this.#body, () => true) && this.#allTools.length > 0;
  }

  /** @param tool the name of a function, or the type of a hosted tool without its date. */
  offersTool(tool: string): boolean {
    const isNamed = (start: number, end: number) =>
      this.#text(start - 1, start) === '"' && /^["_]/.test(this.#text(end, end + 1));
    return new WordSearch(tool).isIn(this.#body, isNamed) && this.#allTools.some((each) => isTool(each, tool));
  }

  get #allTools(): readonly OfferedTool[] {
    this.#tools ??= toolsIn(this.#body);
    return this.#tools;
  }

  get #allImages(): Images {
    const isType = (start: number, end: number) =>
      BEFORE_IMAGE.test(this.#text(start - 7, start)) && BEHIND_IMAGE.test(this.#text(end, end + 5));
    this.#images ??= IMAGE.isIn(this.#body, isType) ? imagesIn(this.#body) : NO_IMAGES;
    return this.#images;
  }

  #text(start: number, end: number): string {
    return this.#body.toString('latin1', Math.max(0, start), end);
  }
}

function isTool({ name, type }: OfferedTool, wanted: string): boolean {
  return name === wanted || type === wanted || isDated(type, wanted);
}

/** For example, `web_search_20250305`. */
function isDated(type: string | undefined, wanted: string): boolean {
  return type?.startsWith(`${wanted}_`) === true && /^\d{6,8}$/.test(type.slice(wanted.length + 1));
}
