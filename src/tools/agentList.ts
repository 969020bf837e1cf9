/** The agents that run in a terminal. docs/tools.md links the documentation of each format. */
import { join } from 'node:path';
import { WINDOW_HEADER, WINDOW_VARIABLE } from '../rules/windowMark.ts';
import type { Change } from './configuration/edits.ts';
import {
  type ClientProgram,
  modelsOf,
  NAME,
  set,
  type ToolAccess,
  type ToolConfiguration,
  type ToolModel,
  withoutVersion,
} from './tool.ts';

export const claudeCode: ClientProgram = {
  id: 'claude-code',
  name: 'Claude Code',
  format: 'messages',
  documentation: 'https://code.claude.com/docs/en/env-vars',
  program: 'claude',
  configuration: {
    format: 'json',
    files: ({ home, env }) => [join(env.CLAUDE_CONFIG_DIR ?? join(home, '.claude'), 'settings.json')],
    changes: ({ address, secret, model, smallModel = model, contextWindow }) => [
      set(['env', 'ANTHROPIC_BASE_URL'], withoutVersion(address)),
      set(['env', 'ANTHROPIC_AUTH_TOKEN'], secret),
      set(['env', 'ANTHROPIC_MODEL'], model),
      ...['OPUS', 'SONNET'].map((family) => set(['env', `ANTHROPIC_DEFAULT_${family}_MODEL`], model)),
      // Claude Code uses this model family for titles and other small tasks.
      set(['env', 'ANTHROPIC_DEFAULT_HAIKU_MODEL'], smallModel),
      // For an unknown model, it assumes a context window and fills it.
      set(['env', 'CLAUDE_CODE_MAX_CONTEXT_TOKENS'], String(contextWindow)),
      // Adds the gateway's models to those of `/model`.
      set(['env', 'CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY'], '1'),
      // Makes its requests contain their turn and the kind of work.
      set(['env', 'CLAUDE_CODE_GATEWAY_HINT_HEADERS'], '1'),
    ],
  },
};
export const codex: ClientProgram = {
  id: 'codex',
  name: 'Codex',
  format: 'responses',
  documentation: 'https://developers.openai.com/codex/config-sample',
  program: 'codex',
  // The models for command reviews and its memory, in several versions.
  fixedModels: ['codex-auto-review', 'gpt-5.6-luna', 'gpt-5.4-mini', 'gpt-6.1-terra'],
  configuration: {
    format: 'toml',
    files: ({ home, env }) => [join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml')],
    changes: ({ address, secret, model }) => [
      set(['model'], model),
      set(['model_provider'], 'model_access'),
      set(['model_providers', 'model_access'], {
        name: NAME,
        base_url: address,
        // The context window and other properties of each model, and the list of `/model`.
        model_catalog_url: `${address}/models`,
        wire_api: 'responses',
        experimental_bearer_token: secret,
        // Names the window in whose terminal it runs.
        env_http_headers: { [WINDOW_HEADER]: WINDOW_VARIABLE },
      }),
    ],
  },
};
export const aider: ClientProgram = {
  id: 'aider',
  name: 'aider',
  format: 'chat-completions',
  documentation: 'https://aider.chat/docs/llms/openai-compat.html',
  program: 'aider',
  configuration: {
    format: 'yaml',
    files: ({ home }) => [join(home, '.aider.conf.yml')],
    changes: ({ address, secret, model }) => [
      set(['openai-api-base'], address),
      set(['openai-api-key'], secret),
      set(['model'], `openai/${model}`),
    ],
  },
};
export const openCode: ClientProgram = {
  id: 'opencode',
  name: 'opencode',
  format: 'chat-completions',
  documentation: 'https://opencode.ai/docs/en/config',
  program: 'opencode',
  configuration: providerIn('opencode', ['opencode.json', 'opencode.jsonc']),
};
/** The program and the extension read the same file. If there are two, `kilo.jsonc` takes precedence. */
export const kiloCode: ClientProgram = {
  id: 'kilo-code',
  name: 'Kilo Code',
  format: 'chat-completions',
  documentation: 'https://kilo.ai/docs/providers/openai-compatible',
  program: 'kilo',
  extension: 'kilocode.kilo-code',
  configuration: providerIn('kilo', ['kilo.jsonc', 'kilo.json']),
};

/**
 * A provider in the configuration of opencode, or of a tool derived from it.
 * @param folder within the user's folder for configurations.
 * @param names of the files. The first one takes precedence.
 */
function providerIn(folder: string, names: readonly [string, string]): ToolConfiguration {
  return {
    format: 'json',
    files: ({ home, env }) => {
      const within = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), folder);
      return [join(within, names[0]), join(within, names[1])];
    },
    changes: providerChanges,
  };
}

/** A provider and the default model. */
function providerChanges(access: ToolAccess): Change[] {
  const { address, secret, model } = access;
  const entry = ({ id, contextWindow: context, maxOutputTokens: output }: ToolModel) => ({
    name: id,
    ...(output !== undefined && { limit: { context, output } }),
  });
  return [
    set(['provider', 'model-access'], {
      npm: '@ai-sdk/openai-compatible',
      name: NAME,
      options: { baseURL: address, apiKey: secret },
      models: Object.fromEntries(modelsOf(access).map((one) => [one.id, entry(one)])),
    }),
    set(['model'], `model-access/${model}`),
  ];
}
