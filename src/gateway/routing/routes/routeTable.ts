import type { RouteLimits, RouteList, RouteRule, RouteSettings, Trigger } from './routeEntry.ts';
import { DEFAULT_TRIGGERS } from './routeEntry.ts';

/** A route that is ready to be used. */
export interface Route {
  readonly name: string;
  readonly use: readonly string[];
  readonly when: readonly RouteRule[];
  readonly triggers: ReadonlySet<Trigger>;
  readonly limits: RouteLimits;
}

/** What a route's rules chose for one request. */
export interface RouteChoice {
  readonly route: Route;
  /** The index of the rule in `when`; absent when none fits. */
  readonly rule?: number;
  /** Models in their order, without routes. */
  readonly models: readonly string[];
}

/** Whether a rule fits a request. */
export type FitsRule = (rule: RouteRule) => boolean;

/** What the rules of routes ask about a request. */
export interface RouteFacts {
  readonly requestClass: string | undefined;
  readonly agentType: string | undefined;
  /** Of the input, estimated. */
  readonly tokens: number;
  readonly hasImage: boolean;
  offersTool(tool: string): boolean;
}

/** Whether all conditions of the rule hold. What costs most to find out is asked last. */
export function ruleFits(rule: RouteRule, facts: RouteFacts): boolean {
  const { class: wanted, agent, tool, image, tokensAbove } = rule;
  return (
    (wanted === undefined || wanted === facts.requestClass) &&
    (agent === undefined || agent === facts.agentType) &&
    (tokensAbove === undefined || facts.tokens > tokensAbove) &&
    (tool === undefined || facts.offersTool(tool)) &&
    (image === undefined || image === facts.hasImage)
  );
}

/** The routes of a gateway by their names. */
export class RouteTable {
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(routes: RouteList = {}) {
    this.#routes = new Map(Object.entries(routes).map(([name, settings]) => [name, routeOf(name, settings)]));
  }

  /** Each route with the model that it prefers, by which lists describe it. */
  get firstModels(): readonly (readonly [route: string, model: string])[] {
    return [...this.#routes.values()].map((route) => [route.name, this.#reachableFrom(route.name)[0] ?? '']);
  }

  find(name: string): Route | undefined {
    return this.#routes.get(name);
  }

  /** The first rule that fits decides; routes in its list are replaced by what they choose for the same request. */
  choose(route: Route, fits: FitsRule): RouteChoice {
    const rule = route.when.findIndex(fits);
    const names = route.when[rule]?.use ?? route.use;
    return { route, ...(rule !== -1 && { rule }), models: this.#flatten(names, fits) };
  }

  /** All models that a request for this route may reach, whatever rules fit. */
  reachable(route: Route): readonly string[] {
    const names = [...route.use, ...route.when.flatMap(({ use }) => use)];
    return [...new Set(names.flatMap((name) => this.#reachableFrom(name)))];
  }

  #reachableFrom(name: string): readonly string[] {
    const route = this.#routes.get(name);
    return route === undefined ? [name] : this.reachable(route);
  }

  #flatten(names: readonly string[], fits: FitsRule): readonly string[] {
    return names.flatMap((name) => {
      const inner = this.#routes.get(name);
      return inner === undefined ? [name] : this.choose(inner, fits).models;
    });
  }
}

function routeOf(name: string, { use, when = [], also = [], limits = {} }: RouteSettings): Route {
  return { name, use, when, triggers: new Set<Trigger>([...DEFAULT_TRIGGERS, ...also]), limits };
}
