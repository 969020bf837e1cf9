/** Which model a request would get, found out without sending it. */
import type { RouteList } from '../../gateway/routing/routes/routeEntry.ts';
import { type RouteFacts, RouteTable, ruleFits } from '../../gateway/routing/routes/routeTable.ts';

/** A request as a person describes it. */
export interface DescribedRequest {
  readonly requestClass?: string;
  readonly agentType?: string;
  readonly tools: readonly string[];
  readonly inputTokens: number;
  readonly hasImage: boolean;
}

export interface Trial {
  /** Models in the order in which they would be asked. */
  readonly models: readonly string[];
  /** The place in `when` of the rule that decides, from 0; absent when no rule fits. */
  readonly rule?: number;
}

/**
 * @param aliases of the gateway, which may stand for routes.
 * @returns `undefined` when there is no route of this name.
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
