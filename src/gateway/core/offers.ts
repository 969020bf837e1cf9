/** Who may be asked for a model. */
import type { Offer, Upstream, UpstreamMember } from './upstream.ts';

/** All who may be asked for the model of this name; none when an upstream that stands for several knows nobody. */
export function offersOf(upstream: Upstream, model: string): readonly Offer[] {
  return upstream.offers?.(model) ?? [{ member: alone(upstream), model }];
}

/** The one of this id, where the upstream stands for several, else the upstream itself. */
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
