import type { UpstreamRequest } from '../../core/upstream.ts';
import type { Images } from './images.ts';
import { KnownImages } from './knownImages.ts';
import { OfferedTools } from './offeredTools.ts';
import type { RouteRule } from './routeEntry.ts';
import { isTool, type OfferedTool, type RouteFacts, ruleFits } from './routeTable.ts';

const BYTES_PER_TOKEN = 4;
/** Vendors count about this many tokens for a picture of ordinary size, independently of its bytes. */
const TOKENS_PER_IMAGE = 1_600;

export class KnownBodies {
  readonly tools = new OfferedTools();
  readonly images = new KnownImages();
}

type ReadRequest = Pick<UpstreamRequest, 'body' | 'session'>;

/**
 * The facts about a request that a route's rules depend on. Each fact is read once, when a rule first needs it, and
 * only from what differs from earlier requests.
 */
export class RequestFacts implements RouteFacts {
  readonly #request: ReadRequest;
  readonly #body: Buffer;
  #images: Images | undefined;
  readonly #known: KnownBodies;
  #tools: readonly OfferedTool[] | undefined;

  constructor(request: ReadRequest, known = new KnownBodies()) {
    this.#request = request;
    this.#known = known;
    this.#body = request.body ?? Buffer.alloc(0);
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
    const { count, bytes } = this.#allImages;
    return Math.ceil((this.#body.length - bytes) / BYTES_PER_TOKEN) + count * TOKENS_PER_IMAGE;
  }

  get hasImage(): boolean {
    return this.#allImages.count > 0;
  }

  get hasTools(): boolean {
    return this.tools.length > 0;
  }

  /** @param tool the name of a function, or the type of a hosted tool without its date. */
  offersTool(tool: string): boolean {
    return this.tools.some((each) => isTool(each, tool));
  }

  get tools(): readonly OfferedTool[] {
    this.#tools ??= this.#known.tools.of(this.#body);
    return this.#tools;
  }

  get #allImages(): Images {
    this.#images ??= this.#known.images.of(this.#body);
    return this.#images;
  }
}
