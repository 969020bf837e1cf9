import type { ReadRequest } from '../compaction/compactionMark.ts';
import type { Upstream } from '../core/upstream.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import { OpeningSink } from '../secrets/openingSink.ts';
import type { SecretGuard } from '../secrets/secretGuard.ts';

interface Asked {
  readonly upstream: Upstream;
  readonly model: string | undefined;
  readonly request: ReadRequest;
}

/**
 * Replaces the secrets in a request, if the policies of its key and upstreams demand it, and has them restored in its
 * answer.
 * @returns undefined if the request was refused.
 */
export async function guardSecrets(
  guard: SecretGuard,
  exchange: Exchange,
  key: KeyDetails,
  { upstream, model, request }: Asked,
): Promise<ReadRequest | undefined> {
  const policy = guard.policyFor(key.secrets, upstream, model);
  if (policy !== 'seal' && policy !== 'refuse') return request;
  const sealed = await guard.seal(request, policy);
  if ('error' in sealed) {
    exchange.refuse(sealed);
    return undefined;
  }
  const { table, isStructured, count, kinds } = sealed;
  if (count > 0) exchange.sealed = { count, kinds };
  exchange.opens = (sink) => {
    if (table.isEmpty) return sink;
    const onOpened = ({ unknown }: { readonly unknown: number }) => {
      if (unknown > 0) exchange.sealed = { count, kinds, unknown };
    };
    return new OpeningSink(sink, { table, isStructured, memory: request.memory, onOpened });
  };
  return sealed.request;
}
