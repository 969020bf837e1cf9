/** Finds the model that a request would get, with the gateway's own code and without sending anything. */
import { ModelPatterns } from '../../gateway/core/modelPattern.ts';
import { offersOf, offersOfAll } from '../../gateway/routing/offers.ts';
import { RequestFacts } from '../../gateway/routing/routes/requestFacts.ts';
import type { RouteList } from '../../gateway/routing/routes/routeEntry.ts';
import type { KnownNames } from '../../gateway/routing/routes/routeErrors.ts';
import { isTool, type RouteFacts, RouteTable, ruleFits } from '../../gateway/routing/routes/routeTable.ts';
import { requestClass } from '../../gateway/sessions/clientSession.ts';
import type { CapturedBody, TrafficDetails } from '../../gateway/traffic/protocol.ts';
import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';
import type { TrialForm } from './protocol.ts';

/** A request as the user describes it. */
export interface DescribedRequest {
  readonly model: string;
  readonly requestClass: string | undefined;
  readonly agentType: string | undefined;
  /** Names of functions, or types of hosted tools. */
  readonly tools: readonly string[];
  readonly tokens: number;
  readonly hasImage: boolean;
}

export interface RouteTrial {
  /** In the order in which they would be tried. Empty if no upstream offers the model. */
  readonly targets: readonly { readonly upstream: string; readonly model: string }[];
  /** The name of the route. Undefined if the model's name is not that of a route. */
  readonly route?: string;
  /** The index of the deciding rule in `when`, from 0. Undefined if no rule matches. */
  readonly rule?: number;
}

/** @param routes must not lead back to themselves. */
export function tryRequest(routes: RouteList, { model, ...request }: DescribedRequest, known: KnownNames): RouteTrial {
  const [members, aliases] = [membersOf(known), aliasesOf(known)];
  const targetsOf = (offers: ReturnType<typeof offersOf>) =>
    offers.map((offer) => ({ upstream: offer.member.id, model: offer.model }));
  const table = new RouteTable(routes, aliases);
  const route = table.find(model);
  if (route === undefined) return { targets: targetsOf(offersOf(model, members, aliases)) };
  const facts: RouteFacts = {
    ...request,
    offersTool: (wanted) => request.tools.some((tool) => isTool({ name: tool, type: tool }, wanted)),
  };
  const { models, rule } = table.choose(route, (each) => ruleFits(each, facts));
  const targets = targetsOf(offersOfAll(models, members, aliases));
  return { targets, route: route.name, ...(rule !== undefined && { rule }) };
}

/** The upstreams with the models that they offer, by ID. */
export function membersOf({ upstreams }: KnownNames) {
  return new Map(upstreams.map(({ id, models }) => [id, { id, models: new ModelPatterns(models) }]));
}

export function aliasesOf({ aliases }: KnownNames): ReadonlyMap<string, string> {
  return new Map(Object.entries(aliases));
}

/** A request that was sent, described so that routes can be tried with it. */
export interface RecordedTrial {
  readonly form: TrialForm;
  /** False if its tools and images are unknown, because its body was not captured. */
  readonly isComplete: boolean;
}

/** Reads the facts with the gateway's own code. What is only in the body is unknown if it was not captured. */
export function trialOf(
  { model = '', agentType = '', usage }: Pick<ExchangeRow, 'model' | 'agentType' | 'usage'>,
  details: Pick<TrafficDetails, 'requestHeaders'> | undefined,
  captured: CapturedBody | undefined,
): RecordedTrial {
  const headers = Object.fromEntries(
    (details?.requestHeaders ?? []).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const form: TrialForm = {
    model,
    requestClass: requestClass(headers) ?? '',
    agent: agentType,
    tools: '',
    tokens: String(usage?.inputTokens ?? 0),
    hasImage: false,
  };
  const isComplete = captured?.isReadable === true && captured.keptBytes >= captured.bytes;
  if (!isComplete) return { form, isComplete };
  const text = captured.pieces.map(([, piece]) => piece).join('');
  const { tools, tokens, hasImage } = new RequestFacts({ body: Buffer.from(text) });
  const names = tools.flatMap(({ name, type }) => name ?? type ?? []);
  return { form: { ...form, tools: names.join(', '), tokens: String(tokens), hasImage }, isComplete };
}
