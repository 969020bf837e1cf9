/** Returns the upstreams that may be asked for a model. */
import type { Offer, Upstream, UpstreamMember } from './upstream.ts';

/** Returns all upstreams that may be asked for this model. Empty if none of a router's upstreams offers it. */
export function offersOf(upstream: Upstream, model: string): readonly Offer[] {
  return upstream.offers?.(model) ?? [{ member: alone(upstream), model }];
}

/** Returns the member with this ID if the upstream is a router. Otherwise returns the upstream itself. */
export function memberOf(upstream: Upstream, id: string | undefined): UpstreamMember {
  return (id === undefined ? undefined : upstream.member?.(id)) ?? alone(upstream);
}

function alone(upstream: Upstream): UpstreamMember {
  return {
    upstream,
    modelsRequest: (localKeyId) => ({
      endpoint: '/models',
      method: 'GET',
      subpath: '',
      query: '',
      headers: { accept: 'application/json' },
      localKeyId,
      callerFormat: 'chat-completions',
    }),
  };
}
