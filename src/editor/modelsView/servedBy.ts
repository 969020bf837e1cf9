import { ModelPatterns } from '../../gateway/routing/modelPattern.ts';
import type { ConfiguredUpstream } from '../settings/upstreamList.ts';

/**
 * The upstream of the settings that the gateway asks first for a model, as its router decides: the closest name wins,
 * then the order of the settings. `undefined` when the service answers.
 */
export function upstreamFor(model: string, upstreams: readonly ConfiguredUpstream[]): ConfiguredUpstream | undefined {
  const fits = upstreams.flatMap((upstream) => {
    const fit = new ModelPatterns(upstream.models).fit(model);
    return fit === undefined ? [] : [{ upstream, fit }];
  });
  return fits.sort((a, b) => (a.fit === b.fit ? 0 : b.fit - a.fit))[0]?.upstream;
}

/** The models that an upstream of the settings names one by one. */
export function namedModels({ models }: ConfiguredUpstream): readonly string[] {
  return new ModelPatterns(models).names;
}
