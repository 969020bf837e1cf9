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

/** The routes of a gateway by their names, and by the aliases that stand for them. */
export class RouteTable {
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #aliases: ReadonlyMap<string, string>;

  /** @param aliases names for callers, each for a model or a route. */
  constructor(routes: RouteList = {}, aliases: ReadonlyMap<string, string> = new Map()) {
    this.#routes = new Map(Object.entries(routes).map(([name, settings]) => [name, routeOf(name, settings)]));
    this.#aliases = aliases;
  }

  /** Each route and alias with the model that it stands for or prefers, by which lists describe it. */
  get firstModels(): ReadonlyMap<string, string> {
    const names = [...this.#routes.keys(), ...this.#aliases.keys()];
    return new Map(names.map((name) => [name, this.#modelOf(this.#reachableFrom(name)[0] ?? '')]));
  }

  find(name: string): Route | undefined {
    return this.#routes.get(name) ?? this.#routes.get(this.#modelOf(name));
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

  #modelOf(name: string): string {
    return this.#aliases.get(name) ?? name;
  }

  #reachableFrom(name: string): readonly string[] {
    const route = this.find(name);
    return route === undefined ? [name] : this.reachable(route);
  }

  #flatten(names: readonly string[], fits: FitsRule): readonly string[] {
    return names.flatMap((name) => {
      const inner = this.find(name);
      return inner === undefined ? [name] : this.choose(inner, fits).models;
    });
  }
}

function routeOf(name: string, { use, when = [], also = [], limits = {} }: RouteSettings): Route {
  return { name, use, when, triggers: new Set<Trigger>([...DEFAULT_TRIGGERS, ...also]), limits };
}
