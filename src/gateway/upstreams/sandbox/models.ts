/** The bodies of `GET /models` and `GET /models/{id}`, in both formats of the list. */
import type { FormatName } from '../../../formats/conversation.ts';
import type { JsonObject } from '../../../formats/json.ts';
import { catalog, findModel, type SandboxModel } from '../../../sandbox/catalog.ts';
import { RequestError } from '../../../sandbox/requestError.ts';
import { decodeSegment } from '../../core/route.ts';

/** The sandbox's models have no real dates. A fixed date keeps answers equal. */
const CREATED = Date.UTC(2026, 0, 1) / 1000;

export function modelList(format: FormatName): JsonObject {
  const data = catalog.map((model) => modelEntry(model, format));
  if (format !== 'messages') return { object: 'list', data };
  return { data, has_more: false, first_id: catalog[0]?.id ?? null, last_id: catalog.at(-1)?.id ?? null };
}

/**
 * @param subpath `/{id}`, as in the URL.
 * @throws {RequestError} if there is no such model.
 */
export function singleModel(subpath: string, format: FormatName): JsonObject {
  return modelEntry(modelNamed(decodeSegment(subpath.slice(1))), format);
}

/** @throws {RequestError} if the catalog has no such model. */
export function modelNamed(id: string): SandboxModel {
  const model = findModel(id);
  if (model !== undefined) return model;
  const message = `There is no model "${id}". GET /models lists the available models.`;
  throw new RequestError({ kind: 'notFound', status: 404, message, code: 'model_not_found', param: 'model' });
}

/** Both formats have the same additional fields. Prices are US dollars per million tokens. */
function modelEntry({ id, family, ...model }: SandboxModel, format: FormatName): JsonObject {
  const further = {
    family,
    context_window: model.contextWindow,
    max_output_tokens: model.maxOutputTokens,
    pricing: { input: model.price.input, output: model.price.output, currency: 'USD', per_tokens: 1_000_000 },
    capabilities: { ...model.capabilities },
    sandbox: true,
  };
  return format === 'messages'
    ? { type: 'model', id, display_name: id, created_at: new Date(CREATED * 1000).toISOString(), ...further }
    : { id, object: 'model', created: CREATED, owned_by: 'sandbox', ...further };
}
