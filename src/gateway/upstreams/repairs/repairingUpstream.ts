import { modelName } from '../../core/modelName.ts';
import type { AnswerSink, Endpoint, Upstream, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
import { WrappedUpstream } from '../../core/wrappedUpstream.ts';
import type { UpstreamRefusals } from './refusalMemory.ts';
import { repairedBody } from './repairedBody.ts';
import { type Addition, type ChangeSets, RepairedCall, type Writing, type Written } from './repairedCall.ts';

export type { Addition } from './repairedCall.ts';

const CALL_LIMIT = 'max_tool_calls';
const NONE: readonly never[] = [];

/**
 * Adds to requests what the gateway needs. If the upstream refuses that, or a request that translation has written, the
 * request is sent again in another form, and so are all later ones for the same model.
 */
export class RepairingUpstream extends WrappedUpstream {
  readonly #additions: ReadonlyMap<Endpoint, readonly Addition[]>;
  readonly #toTranslated: ReadonlyMap<Endpoint, readonly Addition[]>;
  readonly #refusals: UpstreamRefusals;
  override readonly marksCache: boolean;
  override readonly reportsUsage: Upstream['reportsUsage'];

  constructor(inner: Upstream, additions: readonly Addition[], refusals: UpstreamRefusals) {
    super(inner);
    this.#additions = byEndpoint(additions);
    this.#toTranslated = byEndpoint(additions.filter(({ addsToTranslated }) => addsToTranslated));
    this.#refusals = refusals;
    this.marksCache = additions.some(({ members }) => members[0] === 'cache_control');
    const asksUsage = additions.some(({ members }) => members.some((member) => member === 'include_usage'));
    this.reportsUsage = asksUsage && inner.reportsUsage === 'onRequest' ? 'always' : inner.reportsUsage;
  }

  override takesBodyStream(endpoint: Endpoint): boolean {
    const additions = this.#additions.get(endpoint) ?? NONE;
    return additions.every(({ addsToStreams }) => addsToStreams) && super.takesBodyStream(endpoint);
  }

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const isOurs = request.isTranslated === true;
    const additions = (isOurs ? this.#toTranslated : this.#additions).get(request.endpoint);
    if (!isOurs && additions === undefined && request.unlimitedBody === undefined) {
      return this.inner.send(request, sink);
    }
    const model = this.#refusals.memory.hasSome ? modelOf(request) : undefined;
    const known = model === undefined ? NONE : this.#refusals.of(model);
    const written = write(request, additions, known);
    if (!isOurs && written.added.length === 0) return this.inner.send(written.request, sink);
    const writing: Writing = {
      write: (sets, original) => write(original, additions, sets),
      learn: (sets) => this.#refusals.learn(model ?? modelOf(request) ?? '', sets),
      isUnhelped: (shape) => this.#refusals.isUnhelped(model ?? modelOf(request) ?? '', shape),
      learnUnhelped: (shapes) => this.#refusals.learnUnhelped(model ?? modelOf(request) ?? '', shapes),
    };
    return new RepairedCall(this.inner, writing, { request, written, known }, sink);
  }
}

function byEndpoint(additions: readonly Addition[]): ReadonlyMap<Endpoint, readonly Addition[]> {
  const endpoints = new Set(additions.flatMap((addition) => addition.endpoints));
  return new Map(
    [...endpoints].map((endpoint) => [endpoint, additions.filter((each) => each.endpoints.includes(endpoint))]),
  );
}

function write(original: UpstreamRequest, additions: readonly Addition[] | undefined, sets: ChangeSets): Written {
  const added: Addition[] = [];
  const isRefused = (member: string) => sets.some((changes) => changes.includes(member));
  let request = original;
  const { unlimitedBody } = original;
  if (unlimitedBody !== undefined) {
    if (isRefused(CALL_LIMIT)) request = withBody(original, unlimitedBody);
    else added.push(LIMIT);
  }
  for (const addition of additions ?? NONE) {
    const more = isRefused(addition.members[0]) ? undefined : addition.add(request);
    if (more === undefined) continue;
    request = more;
    added.push(addition);
  }
  if (request.isTranslated !== true || sets.length === 0) return { request, added, lost: NONE };
  return { ...repaired(request, sets), added };
}

/** The budget has added the limit before. */
const LIMIT: Addition = {
  endpoints: ['/responses'],
  members: [CALL_LIMIT],
  addsToStreams: false,
  addsToTranslated: true,
  add: (request) => request,
};

function repaired(request: UpstreamRequest, sets: ChangeSets): Omit<Written, 'added'> {
  const { bytes, lost } = repairedBody(request.body ?? Buffer.alloc(0), sets);
  return { request: bytes === undefined ? request : withBody(request, bytes), lost };
}

function withBody(request: UpstreamRequest, body: Buffer): UpstreamRequest {
  const { json: _, unlimitedBody: __, ...rest } = request;
  return { ...rest, body };
}

function modelOf({ body, streamedModel }: UpstreamRequest): string | undefined {
  return body === undefined ? streamedModel : modelName(body);
}
