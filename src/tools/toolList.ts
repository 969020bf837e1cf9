/** The tools that can be connected. docs/tools.md links the documentation of each format. */
import { join } from 'node:path';
import { WINDOW_HEADER, WINDOW_VARIABLE } from '../rules/windowMark.ts';
import type { Change } from './configuration/edits.ts';
import { type Access, type ListedModel, type Places, type Tool, withoutVersion } from './tool.ts';

const NAME = 'Model Access';

const claudeCode: Tool = {
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

const codex: Tool = {
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

const aider: Tool = {
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

const openCode: Tool = {
  id: 'opencode',
  name: 'opencode',
  format: 'chat-completions',
  documentation: 'https://opencode.ai/docs/en/config',
  program: 'opencode',
  configuration: {
    format: 'json',
    files: ({ home, env }) => {
      const folder = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'opencode');
      return [join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')];
    },
    changes: providerChanges,
  },
};

/** The program and the extension read the same file. If there are two, `kilo.jsonc` takes precedence. */
const kiloCode: Tool = {
  id: 'kilo-code',
  name: 'Kilo Code',
  format: 'chat-completions',
  documentation: 'https://kilo.ai/docs/providers/openai-compatible',
  program: 'kilo',
  extension: 'kilocode.kilo-code',
  configuration: {
    format: 'json',
    files: ({ home, env }) => {
      const folder = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'kilo');
      return [join(folder, 'kilo.jsonc'), join(folder, 'kilo.json')];
    },
    changes: providerChanges,
  },
};

/** A provider and the default model, for opencode and tools derived from it. */
function providerChanges(access: Access): Change[] {
  const { address, secret, model } = access;
  const entry = ({ id, contextWindow: context, maxOutputTokens: output }: ListedModel) => ({
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

const continueDev: Tool = {
  id: 'continue',
  name: 'Continue',
  format: 'chat-completions',
  documentation: 'https://docs.continue.dev/customize/model-providers/top-level/openai',
  program: 'cn',
  extension: 'Continue.continue',
  configuration: {
    format: 'yaml',
    files: ({ home }) => [join(home, '.continue', 'config.yaml')],
    changes: (access) => [
      { kind: 'default', path: ['name'], value: NAME },
      { kind: 'default', path: ['version'], value: '0.0.1' },
      { kind: 'default', path: ['schema'], value: 'v1' },
      ...modelsOf(access).map(
        ({ id }): Change => ({
          kind: 'append',
          path: ['models'],
          value: {
            name: `${NAME}: ${id}`,
            provider: 'openai',
            model: id,
            apiBase: access.address,
            apiKey: access.secret,
            roles: ['chat', 'edit', 'apply'],
          },
        }),
      ),
    ],
  },
};

const zed: Tool = {
  id: 'zed',
  name: 'Zed',
  format: 'chat-completions',
  documentation: 'https://zed.dev/docs/ai/use-api-access',
  program: 'zed',
  configuration: {
    format: 'json',
    files: (places) => [join(zedFolder(places), 'settings.json')],
    changes: (access) => [
      set(['language_models', 'openai_compatible', NAME], {
        api_url: access.address,
        available_models: modelsOf(access).map(({ id, contextWindow, maxOutputTokens }) => ({
          name: id,
          display_name: `${id} (${NAME})`,
          max_tokens: contextWindow,
          ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
        })),
      }),
    ],
  },
  // Zed stores keys in the system's keychain, but this variable takes precedence.
  snippet: ({ secret }) => `MODEL_ACCESS_API_KEY=${secret}`,
};

function zedFolder({ home, platform, env }: Places): string {
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Zed');
  return join((platform === 'linux' ? env.XDG_CONFIG_HOME : undefined) ?? join(home, '.config'), 'zed');
}

/** Cline's command-line tool. Its extension does not share its settings. */
const clineCli: Tool = {
  id: 'cline-cli',
  name: 'Cline CLI',
  format: 'chat-completions',
  documentation: 'https://docs.cline.bot/cli/cli-reference',
  program: 'cline',
  configuration: {
    format: 'json',
    files: ({ home, env }) => [
      join(env.CLINE_DATA_DIR ?? join(env.CLINE_DIR ?? join(home, '.cline'), 'data'), 'settings', 'providers.json'),
    ],
    changes: ({ address, secret, model }) => [
      { kind: 'default', path: ['version'], value: 1 },
      { kind: 'default', path: ['modes'], value: {} },
      set(['lastUsedProvider'], 'openai-compatible'),
      {
        kind: 'set',
        path: ['providers', 'openai-compatible'],
        value: {
          settings: { provider: 'openai-compatible', apiKey: secret, model, baseUrl: address },
          // Cline discards a file without these members, and updates the time on each run.
          updatedAt: new Date().toISOString(),
          tokenSource: 'manual',
        },
        stamp: 'updatedAt',
      },
    ],
  },
};

/** Cline's settings can only be entered in its own panel. */
const cline: Tool = {
  id: 'cline',
  name: 'Cline',
  format: 'chat-completions',
  documentation: 'https://docs.cline.bot/provider-config/openai-compatible',
  extension: 'saoudrizwan.claude-dev',
  snippet: ({ address, secret, model }) =>
    ['API Provider: OpenAI Compatible', `Base URL: ${address}`, `API Key: ${secret}`, `Model ID: ${model}`, ''].join(
      '\n',
    ),
};

/** The editor keeps the key of such a group in its secret storage, so that no file can contain it. */
const customEndpoint: Tool = {
  id: 'custom-endpoint',
  name: 'VS Code Custom Endpoint',
  format: 'chat-completions',
  documentation: 'https://code.visualstudio.com/docs/copilot/customization/language-models',
  snippet: (access) => {
    const models = modelsOf(access).map(({ id, contextWindow, maxOutputTokens }) => ({
      id,
      name: id,
      url: `${access.address}/chat/completions`,
      toolCalling: true,
      contextWindow,
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    }));
    return `Group name: ${NAME}\nAPI key: ${access.secret}\nmodels: ${JSON.stringify(models, undefined, 2)}\n`;
  },
};

const openaiSdk: Tool = {
  id: 'openai-sdk',
  name: 'OpenAI SDK',
  format: 'chat-completions',
  documentation: 'https://platform.openai.com/docs/libraries',
  snippet: ({ address, secret }) => `OPENAI_BASE_URL=${address}\nOPENAI_API_KEY=${secret}\n`,
};

const messagesSdk: Tool = {
  id: 'messages-sdk',
  name: 'Messages SDK',
  format: 'messages',
  documentation: 'https://platform.claude.com/docs/en/cli-sdks-libraries/overview',
  snippet: ({ address, secret }) => `ANTHROPIC_BASE_URL=${withoutVersion(address)}\nANTHROPIC_AUTH_TOKEN=${secret}\n`,
};

const curl: Tool = {
  id: 'curl',
  name: 'curl',
  format: 'chat-completions',
  documentation: 'https://curl.se/docs/manpage.html',
  snippet: ({ address, secret, model }: Access) => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
    return `curl ${address}/chat/completions \\\n  -H 'Authorization: Bearer ${secret}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'\n`;
  },
};

export const TOOLS: readonly Tool[] = [
  claudeCode,
  codex,
  aider,
  openCode,
  continueDev,
  cline,
  clineCli,
  kiloCode,
  zed,
  customEndpoint,
  openaiSdk,
  messagesSdk,
  curl,
];

/** Returns the ID if the tool is no longer in the list, because it may still be connected. */
export function toolName(id: string): string {
  return TOOLS.find((tool) => tool.id === id)?.name ?? id;
}

/** All models of the catalog, the chosen one first. */
function modelsOf({ model: id, contextWindow, maxOutputTokens, others = [] }: Access): readonly ListedModel[] {
  return [{ id, contextWindow, ...(maxOutputTokens !== undefined && { maxOutputTokens }) }, ...others];
}

function set(path: readonly string[], value: Extract<Change, { kind: 'set' }>['value']): Change {
  return { kind: 'set', path, value };
}
