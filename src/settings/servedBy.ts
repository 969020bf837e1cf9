import { ModelPatterns } from '../gateway/core/modelPattern.ts';
import type { ConfiguredUpstream } from './upstreamList.ts';

/**
 * Returns the upstream of the settings that the gateway asks first for a model, by its router's rules: the most
 * specific name wins, then the order in the settings. `undefined` if the service answers.
 */
export function upstreamFor(model: string, upstreams: readonly ConfiguredUpstream[]): ConfiguredUpstream | undefined {
  const fits = upstreams.flatMap((upstream) => {
    const fit = new ModelPatterns(upstream.models).fit(model);
    return fit === undefined ? [] : [{ upstream, fit }];
  });
  return fits.sort((a, b) => (a.fit === b.fit ? 0 : b.fit - a.fit))[0]?.upstream;
}

/** Returns the models that an upstream of the settings lists by name. */
export function namedModels({ models }: ConfiguredUpstream): readonly string[] {
  return new ModelPatterns(models).names;
}
