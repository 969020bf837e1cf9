import {
  DEFAULT_TRIGGERS,
  type RouteLimits,
  type RouteList,
  type RouteRule,
  type RouteSettings,
  type Trigger,
} from './routeEntry.ts';

export interface NamedRoute {
  readonly name: string;
  readonly use: readonly string[];
  readonly when: readonly RouteRule[];
  readonly triggers: ReadonlySet<Trigger>;
  readonly limits: RouteLimits;
}

export interface RouteChoice {
  readonly route: NamedRoute;
  /** Index of the rule in `when`. Undefined if none matches. */
  readonly rule?: number;
  /** Models in order, with nested routes resolved. */
  readonly models: readonly string[];
}

export type FitsRule = (rule: RouteRule) => boolean;

export interface RouteFacts {
  readonly requestClass: string | undefined;
  readonly agentType: string | undefined;
  /** Estimated number of input tokens. */
  readonly tokens: number;
  readonly hasImage: boolean;
  offersTool(tool: string): boolean;
}

export interface OfferedTool {
  readonly name: string | undefined;
  /** Type of a hosted tool, such as `web_search_20250305`. */
  readonly type: string | undefined;
}

/** @param wanted the name of a function, or the type of a hosted tool without its date. */
export function isTool({ name, type }: OfferedTool, wanted: string): boolean {
  return name === wanted || type === wanted || isDated(type, wanted);
}

/** For example, `web_search_20250305`. */
function isDated(type: string | undefined, wanted: string): boolean {
  return type?.startsWith(`${wanted}_`) === true && /^\d{6,8}$/.test(type.slice(wanted.length + 1));
}

/** Whether all conditions of the rule match. Evaluates the most expensive conditions last. */
export function ruleFits(rule: RouteRule, facts: RouteFacts): boolean {
  const { class: wanted, agent, tool, image, tokensAbove, tokensBelow } = rule;
  return (
    (wanted === undefined || wanted === facts.requestClass) &&
    (agent === undefined || agent === facts.agentType) &&
    (tokensAbove === undefined || facts.tokens > tokensAbove) &&
    (tokensBelow === undefined || facts.tokens < tokensBelow) &&
    (tool === undefined || facts.offersTool(tool)) &&
    (image === undefined || image === facts.hasImage)
  );
}

export class RouteTable {
  readonly #routes: ReadonlyMap<string, NamedRoute>;
  readonly #aliases: ReadonlyMap<string, string>;
  /** The lists that contain no route. */
  readonly #flat: ReadonlySet<readonly string[]>;

  /** @param aliases names for callers, each for a model or a route. */
  constructor(routes: RouteList, aliases: ReadonlyMap<string, string> = new Map()) {
    this.#routes = new Map(Object.entries(routes).map(([name, settings]) => [name, routeOf(name, settings)]));
    this.#aliases = aliases;
    const lists = [...this.#routes.values()].flatMap(({ use, when }) => [use, ...when.map((rule) => rule.use)]);
    this.#flat = new Set(lists.filter((names) => names.every((name) => this.find(name) === undefined)));
  }

  /** Each route and alias with the model that it refers to or prefers. Lists describe it with that model's entry. */
  get firstModels(): ReadonlyMap<string, string> {
    const names = [...this.#routes.keys(), ...this.#aliases.keys()];
    return new Map(names.map((name) => [name, this.#modelOf(this.#reachableFrom(name)[0] ?? '')]));
  }

  find(name: string): NamedRoute | undefined {
    return this.#routes.get(name) ?? this.#routes.get(this.#modelOf(name));
  }

  /**
   * Applies the first rule that matches. Routes in its list are replaced by their own choices for the same request. If
   * there are none, `models` is always the same list.
   */
  choose(route: NamedRoute, fits: FitsRule): RouteChoice {
    const rule = route.when.findIndex(fits);
    const names = route.when[rule]?.use ?? route.use;
    const models = this.#flat.has(names) ? names : this.#flatten(names, fits);
    return rule === -1 ? { route, models } : { route, rule, models };
  }

  /** Returns all models that a request for this route can reach with any rule. */
  reachable(route: NamedRoute): readonly string[] {
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

function routeOf(name: string, { use, when = [], also = [], limits = {} }: RouteSettings): NamedRoute {
  return { name, use, when, triggers: new Set<Trigger>([...DEFAULT_TRIGGERS, ...also]), limits };
}
