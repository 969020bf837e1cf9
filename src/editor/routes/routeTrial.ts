/** Finds the model that a request would get, without sending it. */
import type { RouteList } from '../../gateway/routing/routes/routeEntry.ts';
import { type RouteFacts, RouteTable, ruleFits } from '../../gateway/routing/routes/routeTable.ts';

/** A request as the user describes it. */
export interface DescribedRequest {
  readonly requestClass?: string;
  readonly agentType?: string;
  readonly tools: readonly string[];
  readonly inputTokens: number;
  readonly hasImage: boolean;
}

export interface Trial {
  /** The models in the order in which they would be tried. */
  readonly models: readonly string[];
  /** The index of the deciding rule in `when`, from 0. Undefined if no rule matches. */
  readonly rule?: number;
}

/**
 * @param aliases The gateway's aliases, which may refer to routes.
 * @returns `undefined` if no route has this name.
 */
export function tryRoute(
  routes: RouteList,
  name: string,
  request: DescribedRequest,
  aliases: Readonly<Record<string, string>> = {},
): Trial | undefined {
  const table = new RouteTable(routes, new Map(Object.entries(aliases)));
  const route = table.find(name);
  if (route === undefined) return undefined;
  const facts: RouteFacts = {
    requestClass: request.requestClass,
    agentType: request.agentType,
    tokens: request.inputTokens,
    hasImage: request.hasImage,
    offersTool: (tool) => request.tools.includes(tool),
  };
  const { models, rule } = table.choose(route, (each) => ruleFits(each, facts));
  return { models, ...(rule !== undefined && { rule }) };
}
