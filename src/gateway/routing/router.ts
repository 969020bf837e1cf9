import type { ApiError } from '../../formats/apiError.ts';
import type { FormatName } from '../../formats/conversation.ts';
import { wireFormats } from '../../formats/index.ts';
import { stricter } from '../../rules/secretPolicy.ts';
import { CallerRequest, invalid } from '../core/callerRequest.ts';
import { LaterCall } from '../core/callHandle.ts';
import { ANSWERED, answerLater, sendApiError, sendJson } from '../core/gatewayAnswer.ts';
import type { HealthProblem } from '../core/healthProblem.ts';
import { isPassed, PASSED_ENDPOINTS } from '../core/passedEndpoint.ts';
import type { ResponseReferences, ResponseStore } from '../core/responseStore.ts';
import { decodeSegment } from '../core/route.ts';
import type { AnswerSink, MemberSettings, Upstream, UpstreamCall, UpstreamRequest } from '../core/upstream.ts';
import { TokenCounter } from '../counting/tokenCounter.ts';
import { nextTurn } from '../http/turns.ts';
import { MemoryResponseStore } from '../translation/memoryResponseStore.ts';
import { Abilities } from './abilities.ts';
import { type CallPlan, type CallServices, type Candidate, withoutChoice } from './callPlan.ts';
import { RoutedCall } from './failover/routedCall.ts';
import { Member } from './member.ts';
import { encodeModel, encodeModels, ModelLists } from './modelLists.ts';
import { offersOf, offersOfAll } from './offers.ts';
import { RefusedKeySink } from './refusedKey.ts';
import { KnownBodies, RequestFacts } from './routes/requestFacts.ts';
import type { RouteList } from './routes/routeEntry.ts';
import { RoutePlans } from './routes/routePlans.ts';
import { RouteTable } from './routes/routeTable.ts';
import { SessionPins } from './routes/sessionPins.ts';
import { StoredResponseCall } from './storedResponse.ts';
import { answerCount } from './tokenCount.ts';
import type { UpstreamHealth } from './upstreamHealth.ts';

const MAX_SIMPLE = 1_000;

export interface RouterMemory {
  readonly responses?: ResponseStore;
  readonly pins?: SessionPins;
  /** By upstream ID. */
  readonly health?: ReadonlyMap<string, UpstreamHealth>;
}

/** Combines several upstreams: each request goes to those that offer its model, and is translated if necessary. */
export class Router implements Upstream {
  readonly id = 'router';
  readonly secretPolicy: Upstream['secretPolicy'];
  readonly #members: readonly Member[];
  readonly #byId: ReadonlyMap<string, Member>;
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #routes: RouteTable;
  readonly #plans: RoutePlans;
  readonly #lists: ModelLists;
  readonly #responses: ResponseStore;
  readonly #abilities: Abilities;
  readonly #counter: TokenCounter;
  readonly #bodies = new KnownBodies();
  /** The plans for models that a single upstream offers, which are the same for all requests. */
  readonly #simple = new Map<string, CallPlan>();
  readonly #withoutChoice: CallServices;

  /**
   * @param aliases names for callers, with the `model`, `upstream/model`, or route that each refers to.
   * @param routes names for callers, with the models of each.
   * @param memory outlives this router, because its successors use it, too.
   */
  constructor(
    members: readonly MemberSettings[],
    aliases: Readonly<Record<string, string>> = {},
    counter = new TokenCounter(),
    routes: RouteList = {},
    { responses = new MemoryResponseStore(), pins = new SessionPins(), health }: RouterMemory = {},
  ) {
    this.#responses = responses;
    this.#withoutChoice = withoutChoice(responses);
    this.#counter = counter;
    this.#members = members.map((settings) => new Member(settings, health?.get(settings.upstream.id)));
    const policies = this.#members.map(({ upstream }) => upstream.secretPolicy ?? 'off');
    const strictest = policies.reduce(stricter, 'off');
    if (strictest !== 'off') this.secretPolicy = strictest;
    this.#byId = new Map(this.#members.map((member) => [member.id, member]));
    this.#aliases = new Map(Object.entries(aliases));
    this.#routes = new RouteTable(routes, this.#aliases);
    this.#plans = new RoutePlans(this.#routes, (models) => offersOfAll(models, this.#byId, this.#aliases), pins);
    this.#lists = new ModelLists(this.#members, this.#routes.firstModels);
    this.#abilities = new Abilities(this.#lists);
  }

  send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    switch (request.endpoint) {
      case '/models':
        return answerLater(sink, () => this.#showModels(request, sink));
      case '/balance':
        return this.#showBalance(request, sink);
      case '/responses/':
        return this.#showResponse(request, sink);
      default:
        return this.#route(request, sink);
    }
  }

  member(id: string): Member | undefined {
    return this.#byId.get(id);
  }

  offers(model: string): readonly Candidate[] {
    const route = this.#routes.find(model);
    return offersOfAll(route === undefined ? [model] : this.#routes.reachable(route), this.#byId, this.#aliases);
  }

  problems(): readonly HealthProblem[] {
    return this.#members.flatMap((member) => member.problems);
  }

  /** Only an upstream that receives the request untranslated can compact. */
  compacts(model: string): boolean {
    const [first] = this.offers(model);
    if (first === undefined || first.member.targets.responses !== undefined) return false;
    return first.member.upstream.compacts?.(first.model) ?? true;
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.close()));
  }

  #route(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const caller = new CallerRequest(request);
    const { model } = caller;
    if (model === undefined) return this.#read(caller, sink, () => refuse(caller, sink, nameless(caller)));
    if (!caller.isHuge || !this.#isChosen(model)) return this.#choose(caller, model, sink);
    return this.#read(caller, sink, () => this.#choose(caller, model, sink));
  }

  /** Whether the upstream depends on more than the model. */
  #isChosen(model: string): boolean {
    return this.#routes.find(model) !== undefined || this.#candidates(model).length > 1;
  }

  #choose(caller: CallerRequest, model: string, sink: AnswerSink): UpstreamCall {
    const simple = this.#simple.get(model);
    const { plan, services } =
      simple === undefined ? this.#newPlan(model, caller) : { plan: simple, services: this.#withoutChoice };
    const start = () => new RoutedCall(caller, plan, sink, services);
    const { endpoint } = caller.original;
    const [first] = plan.candidates;
    if (first === undefined) return refuse(caller, sink, unknownModel(model));
    if (endpoint === '/messages/count_tokens') return this.#count(caller, first, sink);
    if (PASSED_ENDPOINTS.has(endpoint) || !isTranslated(plan, caller.format.name)) return start();
    return this.#read(caller, sink, () => this.#recall(caller, sink, start));
  }

  /** Reads a long body step by step before its contents are needed. */
  #read(caller: CallerRequest, sink: AnswerSink, then: () => UpstreamCall): UpstreamCall {
    if (!caller.isLong) return then();
    let wrong: ApiError | undefined;
    const read = caller.read().then((error) => {
      wrong = error;
    });
    return new LaterCall(sink, read, () => (wrong === undefined ? then() : refuse(caller, sink, wrong)));
  }

  /** Only translation needs what a request names of earlier answers. */
  #recall(caller: CallerRequest, sink: AnswerSink, start: () => UpstreamCall): UpstreamCall {
    const { references, original } = caller;
    if (references === undefined && !caller.isLong) return start();
    return new LaterCall(sink, this.#prepare(caller, references, original.localKeyId), start);
  }

  async #prepare(caller: CallerRequest, references: ResponseReferences | undefined, localKeyId: string): Promise<void> {
    if (references !== undefined) caller.recall(await this.#responses.find(localKeyId, references));
    if (!caller.isLong) return;
    await nextTurn();
    caller.decoded();
    await nextTurn();
  }

  #newPlan(model: string, caller: CallerRequest): { readonly plan: CallPlan; readonly services: CallServices } {
    const request = caller.withJson;
    const facts = new RequestFacts(request, this.#bodies);
    return { plan: this.#plan(model, request, facts), services: this.#services(caller, facts) };
  }

  #plan(model: string, request: UpstreamRequest, facts: RequestFacts): CallPlan {
    const route = this.#routes.find(model);
    if (route !== undefined) return this.#plans.planRoute(route, request, facts);
    const candidates = this.#candidates(model);
    const plan = this.#plans.planModel(model, candidates, request);
    if (candidates.length === 1) this.#remember(model, plan);
    return plan;
  }

  /** Callers choose the names, so there can be any number. */
  #remember(model: string, plan: CallPlan): void {
    if (this.#simple.size >= MAX_SIMPLE) this.#simple.clear();
    this.#simple.set(model, plan);
  }

  #services(caller: CallerRequest, facts: RequestFacts): CallServices {
    return {
      responses: this.#responses,
      vendor: this.#withoutChoice.vendor,
      load: (candidates) => this.#abilities.load(candidates, facts),
      missing: (candidate) => this.#abilities.missing(candidate, caller, facts),
      larger: (failed, others) => this.#abilities.larger(failed, others, facts),
    };
  }

  #count(caller: CallerRequest, { member, model }: Candidate, sink: AnswerSink): UpstreamCall {
    const isAvailable = member.countsAsMessages && !member.health.circuit.isOpen;
    return answerCount(caller, { upstream: member.upstream, isAvailable: isAvailable, model }, this.#counter, sink);
  }

  #candidates(name: string): Candidate[] {
    return offersOf(name, this.#byId, this.#aliases);
  }

  async #showModels(request: UpstreamRequest, sink: AnswerSink): Promise<() => void> {
    const format = wireFormats[request.callerFormat];
    const models = await this.#lists.list(request.localKeyId);
    if (request.subpath.length <= 1) return () => sendJson(sink, 200, encodeModels([...models.values()], format.name));
    const id = decodeSegment(request.subpath.slice(1));
    const model = this.#lists.find(models, id);
    if (model === undefined) return () => sendApiError(sink, format, unknownModel(id));
    return () => sendJson(sink, 200, encodeModel(model, format.name));
  }

  /** Nothing in the request says which upstream has the response, so each of its format is asked until one has it. */
  #showResponse(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const [first, ...others] = this.#members.filter(({ targets }) => targets.responses === undefined);
    if (first !== undefined) return new StoredResponseCall(request, [first, ...others], sink);
    const message = 'No upstream stores responses.';
    sendApiError(sink, wireFormats.responses, { kind: 'notFound', status: 404, code: 'not_found', message });
    return ANSWERED;
  }

  #showBalance(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const member = this.#members.find(({ hasBalance }) => hasBalance);
    if (member !== undefined) {
      sink.routed?.({ upstream: member.id });
      return member.upstream.send(request, new RefusedKeySink(request, member.id, sink));
    }
    const message = 'No upstream reports the balance of a key.';
    const error: ApiError = { kind: 'notFound', status: 404, code: 'not_found', message };
    sendApiError(sink, wireFormats[request.callerFormat], error);
    return ANSWERED;
  }
}

function isTranslated({ candidates }: CallPlan, caller: FormatName): boolean {
  return candidates.some(({ member }) => member.targets[caller] !== undefined);
}

function refuse(caller: CallerRequest, sink: AnswerSink, error: ApiError): UpstreamCall {
  sendApiError(sink, caller.format, error);
  return ANSWERED;
}

/** The format's own validation error is the most specific. */
function nameless(caller: CallerRequest): ApiError {
  if (isPassed(caller.original.endpoint)) return invalid('model: Specify one model, as a string.', 'model');
  const decoded = caller.decoded();
  return 'kind' in decoded ? decoded : invalid('model: This must be a string.', 'model');
}

function unknownModel(name: string): ApiError {
  const message = `No upstream offers the model "${name.slice(0, 200)}". GET /models lists the available models.`;
  return { kind: 'notFound', status: 404, code: 'model_not_found', param: 'model', message };
}
