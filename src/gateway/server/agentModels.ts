/**
 * The list of models in the forms of coding agents, and the names that they send back.
 *
 * Codex requests `/models?client_version=…` and reads `models` with its own members: `ModelInfo` in
 * `codex-rs/protocol/src/openai_models.rs`, of version 0.169. Claude Code's gateway model discovery keeps only IDs that
 * begin with `claude` or `anthropic`: code.claude.com/docs/en/llm-gateway-protocol. All others are listed for it with a
 * prefix, which is removed from the requests that come back.
 */
import { defined, type JsonRecord } from '../../formats/json.ts';
import { ASSUMED_CONTEXT_WINDOW, type Model, readModelCatalog } from '../../service/modelCatalog.ts';
import { modelPlace, renameModel } from '../core/modelName.ts';
import { RewrittenModels } from '../core/rewrittenList.ts';
import type { Upstream, UpstreamRequest } from '../core/upstream.ts';

/** Returns the upstream with its list of models in the form of the agent that requests it. */
export function modelsFor(request: UpstreamRequest, upstream: Upstream): Upstream {
  if (asksForCodexModels(request)) return new RewrittenModels(upstream, codexList);
  return asksForDiscovery(request) ? new RewrittenModels(upstream, discoveryList) : upstream;
}

export const DISCOVERY_PREFIX = 'claude-via-gateway-';

/** Returns the body with the name that its model has in the gateway. */
export function withoutDiscoveryPrefix(body: Buffer): Buffer {
  const place = modelPlace(body);
  return place === undefined ? body : renameModel(body, place, place.name.slice(DISCOVERY_PREFIX.length));
}

const EFFORTS = [
  { effort: 'low', description: 'Less reasoning, for simple tasks' },
  { effort: 'medium', description: 'A balance of speed and reasoning' },
  { effort: 'high', description: 'More reasoning, for difficult tasks' },
];

/** Codex sends these instructions to a model that comes from a list, in place of those that it has itself. */
const INSTRUCTIONS = `You are a coding agent in the Codex CLI, which runs in the user's terminal. You work in the user's folder with the \
tools that you have, and you continue until the task is complete.

- Read before you change. Search the folder for the code that the task concerns, and follow the instructions in \
AGENTS.md files: an AGENTS.md applies to its folder and everything below it, and a deeper one takes precedence. What \
the user says takes precedence over all of them.
- Prefer \`rg\` to search for text and files, if it is installed.
- Before a group of commands, say in one short sentence what you are about to do.
- For tasks of several steps, keep a plan with the plan tool if you have it, with one step in progress at a time.
- Fix causes, not symptoms. Keep changes small and in the style of the surrounding code. Do not repair unrelated \
problems; mention them.
- Do not revert changes that you did not make. Do not commit, create branches, or run destructive commands such as \
\`git reset --hard\` unless the user asks for it.
- Run the tests, the build, or the formatter that the project has, beginning with those closest to your change. If you \
cannot verify something, say so.
- Commands can be restricted by a sandbox or need approval. If a necessary command is refused, request approval if \
there is a way to, and otherwise say what is missing.

End with a short answer: what you changed and why, what you verified, and what remains. Refer to files by their path, \
with a line number where it helps, such as \`src/app.ts:42\`. Do not repeat the contents of files that you wrote.
`;

/** Whether this is a request of Codex for its list. */
function asksForCodexModels({ endpoint, subpath, query }: UpstreamRequest): boolean {
  return endpoint === '/models' && subpath.length <= 1 && /[?&]client_version=/.test(query);
}

function codexList(list: JsonRecord): JsonRecord {
  return { models: readModelCatalog(list).models.map(codexModel) };
}

/** @param priority the place in the list; Codex sorts by it. */
function codexModel(model: Model, priority: number): JsonRecord {
  const { id, displayName = id, contextWindow = ASSUMED_CONTEXT_WINDOW } = model;
  return {
    slug: id,
    display_name: displayName,
    description: descriptionOf(model),
    supported_reasoning_levels: model.reasoning === true ? EFFORTS : [],
    supports_reasoning_summaries: model.reasoning === true,
    input_modalities: model.images === false ? ['text'] : ['text', 'image'],
    context_window: contextWindow,
    supports_parallel_tool_calls: model.tools !== false,
    base_instructions: INSTRUCTIONS,
    priority,
    visibility: 'list',
    supported_in_api: true,
    // What Codex assumes for a model that it does not know.
    shell_type: 'unified_exec',
    truncation_policy: { mode: 'bytes', limit: 10_000 },
    support_verbosity: false,
    default_verbosity: null,
    apply_patch_tool_type: null,
    experimental_supported_tools: [],
    upgrade: null,
  };
}

function descriptionOf({ inputPrice, outputPrice }: Model): string | null {
  if (inputPrice === undefined || outputPrice === undefined) return null;
  return `$${inputPrice} in, $${outputPrice} out per million tokens`;
}

const SHOWN = /^(claude|anthropic)/i;
/** The list does not state when the models were made. */
const CREATED_AT = '1970-01-01T00:00:00Z';

/** Whether this is Claude Code's discovery. Its other requests have the user agent `claude-cli`. */
function asksForDiscovery({ endpoint, subpath, headers }: UpstreamRequest): boolean {
  return endpoint === '/models' && subpath.length <= 1 && headers['user-agent']?.startsWith('claude-code/') === true;
}

/** Returns the list with only IDs that Claude Code shows. */
function discoveryList(list: JsonRecord): JsonRecord {
  const data = readModelCatalog(list).models.map(discovered);
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

function discovered({ id, displayName = id, contextWindow, maxOutputTokens }: Model): JsonRecord {
  return {
    type: 'model',
    id: SHOWN.test(id) ? id : `${DISCOVERY_PREFIX}${id}`,
    display_name: displayName,
    created_at: CREATED_AT,
    ...defined({ max_input_tokens: contextWindow, max_tokens: maxOutputTokens }),
  };
}
