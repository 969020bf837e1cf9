/** The tools that can be connected. docs/tools.md links the documentation of each format. */
import { join } from 'node:path';
import { aider, claudeCode, codex, kiloCode, openCode } from './agentList.ts';
import type { Change } from './configuration/edits.ts';
import { type ClientProgram, modelsOf, NAME, type Places, set, type ToolAccess, withoutVersion } from './tool.ts';

const continueDev: ClientProgram = {
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

const zed: ClientProgram = {
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
const clineCli: ClientProgram = {
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
const cline: ClientProgram = {
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
const customEndpoint: ClientProgram = {
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

const openaiSdk: ClientProgram = {
  id: 'openai-sdk',
  name: 'OpenAI SDK',
  format: 'chat-completions',
  documentation: 'https://platform.openai.com/docs/libraries',
  snippet: ({ address, secret }) => `OPENAI_BASE_URL=${address}\nOPENAI_API_KEY=${secret}\n`,
};

const messagesSdk: ClientProgram = {
  id: 'messages-sdk',
  name: 'Messages SDK',
  format: 'messages',
  documentation: 'https://platform.claude.com/docs/en/cli-sdks-libraries/overview',
  snippet: ({ address, secret }) => `ANTHROPIC_BASE_URL=${withoutVersion(address)}\nANTHROPIC_AUTH_TOKEN=${secret}\n`,
};

const curl: ClientProgram = {
  id: 'curl',
  name: 'curl',
  format: 'chat-completions',
  documentation: 'https://curl.se/docs/manpage.html',
  snippet: ({ address, secret, model }: ToolAccess) => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
    return `curl ${address}/chat/completions \\\n  -H 'Authorization: Bearer ${secret}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'\n`;
  },
};

export const TOOLS: readonly ClientProgram[] = [
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
