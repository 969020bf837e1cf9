import type { ChosenRoute } from '../../../ledger/upstreamAttempt.ts';
import type { UpstreamRequest } from '../../core/upstream.ts';
import { type CallPlan, type Candidate, DEFAULT_TRIGGER_SET, inOrder, isHealthy } from '../callPlan.ts';
import { namesOf } from '../failover/attemptLog.ts';
import type { RequestFacts } from './requestFacts.ts';
import type { RouteRule } from './routeEntry.ts';
import type { NamedRoute, RouteTable } from './routeTable.ts';
import { type Pin, type SessionPins, sessionOf } from './sessionPins.ts';

/** Where a request would be sent at the start of a session. */
interface Start {
  /** The requested route or model. */
  readonly name: string;
  readonly first: Candidate | undefined;
  readonly rule?: number | undefined;
  /** Whether the rule is for long requests. */
  readonly isForLong?: boolean;
}

/**
 * Plans which upstreams are asked for a request, based on the rules of its route and on the session's earlier requests.
 */
export class RoutePlans {
  readonly #table: RouteTable;
  readonly #expand: (models: readonly string[]) => readonly Candidate[];
  readonly #pins: SessionPins;
  /** The upstreams for each list of models in the table. They never change. */
  readonly #expanded = new WeakMap<readonly string[], readonly Candidate[]>();

  /** @param expand returns the upstreams that offer these models, in order. */
  constructor(table: RouteTable, expand: (models: readonly string[]) => readonly Candidate[], pins: SessionPins) {
    this.#table = table;
    this.#expand = expand;
    this.#pins = pins;
  }

  planRoute(route: NamedRoute, request: UpstreamRequest, facts: RequestFacts): CallPlan {
    const { name, when, triggers, limits } = route;
    const pin = this.#find(request, name);
    // A session that was too long for other models does not return to them when it gets shorter.
    const longRule = ofLongRequests(when[pin?.rule ?? -1]);
    const { rule, models } = this.#table.choose(route, (each) => facts.fit(each) || each === longRule);
    const choices = this.#choicesOf(models);
    const isForLong = ofLongRequests(when[rule ?? -1]) !== undefined;
    const start: Start = { name, first: choices[0], rule, isForLong };
    return {
      candidates: pinnedFirst(inOrder(choices), pin),
      triggers,
      limits,
      route: chosenRoute(route, rule),
      onAnswer: (candidate) => this.#answered(candidate, start, request),
    };
  }

  /** @param choices the upstreams that offer the model, in order. */
  planModel(name: string, choices: readonly Candidate[], request: UpstreamRequest): CallPlan {
    const usual = { triggers: DEFAULT_TRIGGER_SET, limits: {} };
    const [first, ...others] = choices;
    if (first === undefined || others.length === 0)
      return { ...usual, candidates: choices, ...(first && { headers: namesOf(first) }) };
    return {
      ...usual,
      candidates: pinnedFirst(inOrder(choices), this.#find(request, name)),
      onAnswer: (candidate) => this.#answered(candidate, { name, first }, request),
    };
  }

  #choicesOf(models: readonly string[]): readonly Candidate[] {
    const known = this.#expanded.get(models);
    if (known !== undefined) return known;
    const choices = this.#expand(models);
    this.#expanded.set(models, choices);
    return choices;
  }

  #find(request: UpstreamRequest, name: string): Pin | undefined {
    if (this.#pins.isEmpty) return undefined;
    const { key, begins } = sessionOf(request, name);
    // An earlier conversation that began with the same words is another session.
    return begins ? undefined : this.#pins.find(key);
  }

  /** Only remembers sessions that are not where a new session would start. */
  #answered(
    { member, model }: Candidate,
    { name, first, rule, isForLong = false }: Start,
    request: UpstreamRequest,
  ): void {
    const isMoved = member !== first?.member || model !== first.model;
    if (isMoved || isForLong) this.#pins.keep(sessionOf(request, name).key, { upstream: member.id, model, rule });
    else if (!this.#pins.isEmpty) this.#pins.delete(sessionOf(request, name).key);
  }
}

function pinnedFirst(candidates: readonly Candidate[], pin: Pin | undefined): readonly Candidate[] {
  if (pin === undefined) return candidates;
  const { upstream, model } = pin;
  const pinned = candidates.find((each) => each.member.id === upstream && each.model === model && isHealthy(each));
  return pinned === undefined ? candidates : [pinned, ...candidates.filter((each) => each !== pinned)];
}

function chosenRoute({ name, when }: NamedRoute, rule: number | undefined): ChosenRoute {
  if (rule === undefined) return { name };
  const { use: _, ...conditions } = when[rule] ?? {};
  return { name, rule, when: conditions };
}

function ofLongRequests(rule: RouteRule | undefined): RouteRule | undefined {
  return rule?.tokensAbove === undefined ? undefined : rule;
}
