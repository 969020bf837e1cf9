import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import type { ResponseStore } from '../../../../src/gateway/core/responseStore.ts';
import { Sampler } from '../../../../src/gateway/counting/sampler.ts';
import { TokenCounter } from '../../../../src/gateway/counting/tokenCounter.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import type { RouteList } from '../../../../src/gateway/routing/routes/routeEntry.ts';
import type { RequestHandlerOptions } from '../../../../src/gateway/server/requestHandlerOptions.ts';
import { type CompatibleSettings, createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { ModelServer, type Script } from '../../../support/modelServer/modelServer.ts';
import { closeLater, type RunningGateway, startGateway } from './gateway.ts';

/** Every pair of formats that needs translation. */
export const PAIRS = FORMAT_NAMES.flatMap((caller) =>
  FORMAT_NAMES.filter((upstream) => upstream !== caller).map((upstream) => ({ caller, upstream })),
);

/** Pairs in which each format is once the caller's and once the upstream's, for what depends on one of them only. */
export const RING = FORMAT_NAMES.map((caller, nth) => ({
  caller,
  upstream: FORMAT_NAMES[(nth + 1) % FORMAT_NAMES.length] as FormatName,
}));

export interface RunningRouter extends RunningGateway {
  readonly servers: readonly ModelServer[];
}

export type Behind = Partial<Omit<CompatibleSettings, 'baseUrl'>> & { readonly script: Script };

/** Starts a gateway in front of scripted model servers. */
export async function startRouter(
  upstreams: readonly Behind[],
  aliases: Readonly<Record<string, string>> = {},
  options: Partial<RequestHandlerOptions> = {},
  routes: RouteList = {},
  responses?: ResponseStore,
): Promise<RunningRouter> {
  const servers: ModelServer[] = [];
  const members = [];
  for (const [nth, { script, ...settings }] of upstreams.entries()) {
    const server = await ModelServer.start(script);
    closeLater(() => server.close());
    servers.push(server);
    const formats: readonly FormatName[] = ['chat-completions'];
    const whole = { id: `server${nth}`, formats, models: ['*'], ...settings, baseUrl: server.baseUrl };
    members.push({ ...whole, upstream: createCompatible(whole) });
  }
  const counter = new TokenCounter();
  closeLater(() => counter.close());
  const router = new Router(members, aliases, counter, routes, { ...(responses && { responses }) });
  closeLater(() => router.close());
  const sampler = new Sampler(counter);
  return { ...(await startGateway({ upstream: router, sampler, ...options })), servers };
}
