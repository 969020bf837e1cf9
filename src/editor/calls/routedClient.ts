import type { CallUsage } from '../../calls/callUsage.ts';
import type { UpstreamSettings } from '../../gateway/routing/upstreams.ts';
import { stricter } from '../../rules/secretPolicy.ts';
import { ApiClient } from '../../service/apiClient.ts';
import { ApiKey } from '../../service/apiKey.ts';
import type { RequestSealing } from '../connection/requestSealing.ts';
import type { Settings } from '../settings/settings.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';
import { createWorkerFetch, WORKER_ADDRESS } from '../worker/workerFetch.ts';
import type { AskWorker } from '../worker/workerRpc.ts';

export interface RouteServices {
  readonly worker: GatewayWorker;
  readonly sealing: RequestSealing;
  readonly settings: Settings;
  /** Returns the upstreams with their keys, and the routes. @throws if there are none. */
  readonly readUpstream: () => Promise<UpstreamSettings>;
}

export interface RoutedClient {
  readonly client: ApiClient;
  /** Resolves when the cost of the request is known, also if it was stopped. */
  readonly priced: () => Promise<void> | undefined;
}

/**
 * Returns the client of one request for a route, which the router in the worker answers.
 * @param usage gets who answers, and what it costs.
 */
export async function routedClient(
  { worker, sealing, settings, readUpstream }: RouteServices,
  name: string,
  usage: CallUsage,
): Promise<RoutedClient> {
  const route = { name, upstream: await readUpstream() };
  const onFacts: Parameters<typeof createWorkerFetch>[1] = {
    route,
    onFacts: (facts) => {
      usage.routed = facts;
    },
  };
  let priced: Promise<void> | undefined;
  const ask: AskWorker = (question, receive) => {
    const end = Promise.withResolvers<void>();
    priced = end.promise;
    return worker.rpc.ask(question, (message) => {
      receive(message);
      if (message.type === 'answerEnd' || message.type === 'answerFail') end.resolve();
    });
  };
  // The answer can come from any upstream, so the strictest of their policies applies.
  const policies = settings.upstreams.upstreams.map(({ secrets = 'off' }) => secrets);
  const fetch = sealing.wrap(createWorkerFetch(ask, onFacts), policies.reduce(stricter, 'off'));
  const client = new ApiClient({ baseAddress: WORKER_ADDRESS, key: ApiKey.sandbox, fetch });
  return { client, priced: () => priced };
}
