import { defined, parseJson } from '../../../formats/json.ts';
import type { KnownModel } from '../../../formats/repairs/simplification.ts';
import { readModelCatalog } from '../../../service/modelCatalog.ts';
import { memberOf, type Upstream, type UpstreamRequest } from '../../core/upstream.ts';
import { askWhole } from '../../core/wholeAnswer.ts';

const TIMEOUT_MS = 2_000;

/** Returns what the upstream's list says about a model. Nothing if it has no list, or not in time. */
export async function knownModel(
  upstream: Upstream,
  { localKeyId }: UpstreamRequest,
  model: string | undefined,
): Promise<KnownModel> {
  const answer = await askWhole(upstream, memberOf(upstream, undefined).modelsRequest(localKeyId), TIMEOUT_MS);
  const { models } = readModelCatalog(answer?.status === 200 ? parseJson(answer.body.toString()) : undefined);
  return defined({ maxOutputTokens: models.find(({ id }) => id === model)?.maxOutputTokens });
}
