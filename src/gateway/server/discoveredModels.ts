/**
 * The list of models for Claude Code's gateway model discovery, which keeps only IDs that begin with `claude` or
 * `anthropic`: code.claude.com/docs/en/llm-gateway-protocol. All others are listed with a prefix, which is removed from
 * the requests that come back.
 */
import type { JsonRecord } from '../../formats/json.ts';
import { type Model, readModelCatalog } from '../../service/modelCatalog.ts';
import { modelPlace, renameModel } from '../core/modelName.ts';
import type { UpstreamRequest } from '../core/upstream.ts';

export const DISCOVERY_PREFIX = 'claude-via-gateway-';

const SHOWN = /^(claude|anthropic)/i;
/** The list does not state when the models were made. */
const CREATED_AT = '1970-01-01T00:00:00Z';

/** Whether this is Claude Code's discovery. Its other requests have the user agent `claude-cli`. */
export function asksForDiscovery({ endpoint, subpath, headers }: UpstreamRequest): boolean {
  return endpoint === '/models' && subpath.length <= 1 && headers['user-agent']?.startsWith('claude-code/') === true;
}

/** Returns the body with the name that its model has in the gateway. */
export function withoutDiscoveryPrefix(body: Buffer): Buffer {
  const place = modelPlace(body);
  return place === undefined ? body : renameModel(body, place, place.name.slice(DISCOVERY_PREFIX.length));
}

/** Returns the list with only IDs that Claude Code shows. */
export function discoveryList(list: JsonRecord): JsonRecord {
  const data = readModelCatalog(list).models.map(discovered);
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

function discovered({ id, displayName = id, contextWindow, maxOutputTokens }: Model): JsonRecord {
  return {
    type: 'model',
    id: SHOWN.test(id) ? id : `${DISCOVERY_PREFIX}${id}`,
    display_name: displayName,
    created_at: CREATED_AT,
    ...(contextWindow !== undefined && { max_input_tokens: contextWindow }),
    ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
  };
}
