/**
 * The list of models for Codex, which requests `/models?client_version=…` and reads `models` with its own members:
 * `ModelInfo` in `codex-rs/protocol/src/openai_models.rs`, of version 0.169.
 */
import type { JsonRecord } from '../../formats/json.ts';
import { ASSUMED_CONTEXT_WINDOW, type Model, readModelCatalog } from '../../service/modelCatalog.ts';
import type { UpstreamRequest } from '../core/upstream.ts';

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
export function asksForCodexModels({ endpoint, subpath, query }: UpstreamRequest): boolean {
  return endpoint === '/models' && subpath.length <= 1 && /[?&]client_version=/.test(query);
}

export function codexList(list: JsonRecord): JsonRecord {
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

/** The prices, which Codex shows beside the name. */
function descriptionOf({ inputPrice, outputPrice }: Model): string | null {
  if (inputPrice === undefined || outputPrice === undefined) return null;
  return `$${inputPrice} in, $${outputPrice} out per million tokens`;
}
