import type { UpstreamRequest } from '../../core/upstream.ts';
import type { ChosenRoute } from '../../core/upstreamAttempt.ts';
import { type CallPlan, type Candidate, inOrder } from '../candidate.ts';
import type { RequestFacts } from './requestFacts.ts';
import type { RouteRule } from './routeEntry.ts';
import type { Route, RouteTable } from './routeTable.ts';
import { type SessionPins, sessionOf } from './sessionPins.ts';

/** Who is asked for the requests of routes: as the rules say, and where the session of a request already is. */
export class RoutePlans {
  readonly #table: RouteTable;
  readonly #expand: (models: readonly string[]) => readonly Candidate[];
  readonly #pins: SessionPins;

  /** @param expand gives the upstreams that offer these models, in their order. */
  constructor(table: RouteTable, expand: (models: readonly string[]) => readonly Candidate[], pins: SessionPins) {
    this.#table = table;
    this.#expand = expand;
    this.#pins = pins;
  }

  plan(route: Route, request: UpstreamRequest, facts: RequestFacts): CallPlan {
    const { name, triggers, limits } = route;
    const pin = this.#pins.isEmpty ? undefined : this.#pins.find(sessionOf(request, name));
    // A session that was too long for other models does not return to them when it is shorter.
    const longRule = ofLongRequests(route.when[pin?.rule ?? -1]);
    const { rule, models } = this.#table.choose(route, (each) => facts.fit(each) || each === longRule);
    const choices = this.#expand(models);
    const candidates = inOrder(choices);
    const pinned = candidates.find(
      ({ member, model }) => member.id === pin?.upstream && model === pin.model && isHealthy({ member, model }),
    );
    return {
      candidates: pinned === undefined ? candidates : [pinned, ...candidates.filter((each) => each !== pinned)],
      triggers,
      limits,
      route: chosenRoute(route, rule),
      onAnswer: (candidate) => this.#answered(candidate, choices[0], route, rule, request),
    };
  }

  /** Only sessions that are elsewhere than a new one would be have to be remembered. */
  #answered(
    candidate: Candidate,
    first: Candidate | undefined,
    { name, when }: Route,
    rule: number | undefined,
    request: UpstreamRequest,
  ): void {
    const isMoved = candidate.member !== first?.member || candidate.model !== first.model;
    if (isMoved || ofLongRequests(when[rule ?? -1]) !== undefined) {
      this.#pins.keep(sessionOf(request, name), { upstream: candidate.member.id, model: candidate.model, rule });
    } else if (!this.#pins.isEmpty) this.#pins.delete(sessionOf(request, name));
  }
}

function chosenRoute({ name, when }: Route, rule: number | undefined): ChosenRoute {
  if (rule === undefined) return { name };
  const { use: _, ...conditions } = when[rule] ?? {};
  return { name, rule, when: conditions };
}

function ofLongRequests(rule: RouteRule | undefined): RouteRule | undefined {
  return rule?.tokensAbove === undefined ? undefined : rule;
}

function isHealthy({ member, model }: Candidate): boolean {
  return !member.circuit.isOpen && !member.pauses.isPaused(model);
}
