/** The states of the page that connects a tool. */
import type {
  CheckRow,
  ConnectForm,
  ConnectModel,
  ConnectOutcome,
  ConnectPreview,
  ConnectState,
  ConnectTool,
  FileDiffLine,
  ToolCheck,
} from '../../../src/pages/connectTool/protocol.ts';

export interface GalleryState {
  readonly name: string;
  readonly title: string;
  readonly state: ConnectState;
  /** Previews by the IDs of the tools. */
  readonly previews: Readonly<Record<string, ConnectPreview>>;
  readonly chosen?: string;
  readonly form?: Partial<ConnectForm>;
  readonly check?: ToolCheck;
  readonly isSubmitted?: true;
  /** The outcome of connecting. If undefined, every tool can be connected. */
  readonly outcome?: ConnectOutcome;
}

const CHAT_MODEL = 'familya-sonnet-4.6';
const MODELS: readonly ConnectModel[] = [
  {
    id: 'familya-haiku-4.5',
    contextWindow: 200_000,
    inputPrice: 1,
    outputPrice: 5,
    tools: true,
    images: true,
    checkCost: 0.000_33,
  },
  {
    id: CHAT_MODEL,
    contextWindow: 200_000,
    inputPrice: 3,
    outputPrice: 15,
    tools: true,
    images: true,
    reasoning: true,
    checkCost: 0.000_98,
  },
  { id: 'familyc-5.4' },
];

const CODEX = tool('codex', 'Codex', { version: '0.169.0', file: '~/.codex/config.toml', program: 'codex' });
const TOOLS: readonly ConnectTool[] = [
  CODEX,
  tool('claude-code', 'Claude Code', { version: '2.1.330', file: '~/.claude/settings.json', program: 'claude' }),
  tool('opencode', 'opencode', { version: '1.18.33', file: '~/.config/opencode/opencode.json', program: 'opencode' }),
  tool('cline', 'Cline', { version: '3.0.65' }),
  tool('aider', 'aider', { file: '~/.aider.conf.yml', isInstalled: false, isFound: false }),
  tool('kilo-code', 'Kilo Code', { file: '~/.config/kilo/kilo.jsonc', isInstalled: false, isFound: false }),
  tool('zed', 'Zed', { file: '~/.config/zed/settings.json', isInstalled: false, isFound: false }),
  tool('openai-sdk', 'OpenAI SDK', { isFound: false }),
];
const STATE: ConnectState = {
  tools: TOOLS,
  models: MODELS,
  chatModel: CHAT_MODEL,
  startsWithEditor: false,
  isGatewayRunning: false,
};
const LIMITS = { name: 'codex', budget: '10.00', sessionDollars: '1.00' } as const;
const CONNECTED: ConnectState = {
  ...STATE,
  tools: [{ ...CODEX, isConnected: true, form: { ...CODEX.form, ...LIMITS } }, ...TOOLS.slice(1)],
};

const LINES: readonly FileDiffLine[] = [
  { kind: 'removed', old: 1, text: 'model = "gpt-5.5"' },
  { kind: 'added', new: 1, text: 'model = "familya-sonnet-4.6"' },
  { kind: 'added', new: 2, text: 'model_provider = "model_access"' },
  { kind: 'same', old: 2, new: 3, text: 'approval_policy = "on-request"' },
  { kind: 'same', old: 3, new: 4, text: '' },
  { kind: 'gap' },
  { kind: 'added', new: 20, text: '[model_providers.model_access]' },
  { kind: 'added', new: 21, text: 'base_url = "http://127.0.0.1:8787/api/v1"' },
  { kind: 'added', new: 22, text: 'model_catalog_url = "http://127.0.0.1:8787/api/v1/models"' },
  { kind: 'added', new: 23, text: 'wire_api = "responses"' },
  { kind: 'added', new: 24, text: 'experimental_bearer_token = "key_••••••••"' },
];
const FILE = { path: '~/.codex/config.toml', isNew: false, lines: LINES, notes: [] };
const PREVIEW: ConnectPreview = { problems: {}, aliases: {}, file: FILE };
const NEW_FILE: ConnectPreview = {
  problems: {},
  aliases: {},
  file: {
    path: '~/.aider.conf.yml',
    isNew: true,
    lines: [
      { kind: 'added', new: 1, text: 'openai-api-base: http://127.0.0.1:8787/api/v1' },
      { kind: 'added', new: 2, text: 'openai-api-key: key_••••••••' },
      { kind: 'added', new: 3, text: 'model: openai/familya-sonnet-4.6' },
    ],
    notes: [],
  },
};
const PREVIEWS = {
  codex: PREVIEW,
  aider: NEW_FILE,
  zed: {
    ...PREVIEW,
    file: { ...FILE, path: '~/.config/zed/settings.json' },
    snippet: 'MODEL_ACCESS_API_KEY=key_••••••••',
  },
  cline: {
    problems: {},
    aliases: {},
    snippet:
      'API Provider: OpenAI Compatible\nBase URL: http://127.0.0.1:8787/api/v1\nAPI Key: key_••••••••\nModel ID: familya-sonnet-4.6\n',
  },
};

const PASSED: CheckRow = { state: 'passed', milliseconds: 6 };
const CHECK: ToolCheck = {
  tool: 'codex',
  host: '127.0.0.1:8787',
  key: 'codex',
  model: CHAT_MODEL,
  rows: {
    gateway: { ...PASSED, milliseconds: 4 },
    key: PASSED,
    model: { ...PASSED, milliseconds: 900, inputTokens: 31, outputTokens: 4, cost: 0.0002 },
    tool: { state: 'waiting' },
  },
};

export const STATES: readonly GalleryState[] = [
  { name: 'new', title: 'A tool to connect', state: STATE, previews: PREVIEWS },
  {
    name: 'none',
    title: 'No tool on this machine',
    state: {
      ...STATE,
      tools: TOOLS.map((each) => ({ ...each, isFound: false, isInstalled: each.id === 'openai-sdk' })),
    },
    previews: PREVIEWS,
  },
  {
    name: 'connected',
    title: 'Connected, waiting for the first request',
    state: CONNECTED,
    previews: PREVIEWS,
    chosen: 'codex',
    check: CHECK,
  },
  {
    name: 'used',
    title: 'Connected and used, in the sandbox',
    state: CONNECTED,
    previews: PREVIEWS,
    chosen: 'codex',
    check: {
      ...CHECK,
      rows: {
        ...CHECK.rows,
        model: { ...CHECK.rows.model, isSample: true },
        tool: { ...PASSED, milliseconds: 2100, inputTokens: 12_840, outputTokens: 212, cost: 0.0418, isSample: true },
      },
    },
  },
  {
    name: 'failed',
    title: 'A check that failed',
    state: CONNECTED,
    previews: PREVIEWS,
    chosen: 'codex',
    check: {
      ...CHECK,
      rows: {
        ...CHECK.rows,
        model: { state: 'failed', problem: 'Status 402: The budget is used up. Raise the budget, and check again.' },
      },
    },
  },
  {
    name: 'running',
    title: 'A check that runs',
    state: CONNECTED,
    previews: PREVIEWS,
    chosen: 'codex',
    check: { ...CHECK, rows: { ...CHECK.rows, model: { state: 'running' } } },
  },
  { name: 'fields', title: 'A tool without a file', state: STATE, previews: PREVIEWS, chosen: 'cline' },
  {
    name: 'both',
    title: 'A tool with a file that reads its key elsewhere',
    state: STATE,
    previews: PREVIEWS,
    chosen: 'zed',
  },
  { name: 'unlisted', title: 'Without a list of models', state: { ...STATE, models: [] }, previews: PREVIEWS },
  { name: 'created', title: 'A file that is created', state: STATE, previews: PREVIEWS, chosen: 'aider' },
  {
    name: 'aliases',
    title: 'With aliases and a note about the file',
    state: STATE,
    previews: {
      codex: {
        ...PREVIEW,
        aliases: { 'codex-auto-review': 'familya-haiku-4.5', 'gpt-5.4-mini': 'familya-haiku-4.5' },
        file: {
          ...FILE,
          notes: ['This file is in the Git repository ~/dotfiles. Make sure that the key is not committed.'],
        },
      },
    },
  },
  {
    name: 'unreadable',
    title: 'A file that cannot be read',
    state: STATE,
    previews: {
      codex: {
        ...PREVIEW,
        file: {
          ...FILE,
          lines: [],
          problem: '~/.codex/config.toml cannot be changed: Invalid TOML in line 3, column 9',
        },
      },
    },
  },
  {
    name: 'wrong',
    title: 'With fields that are wrong',
    state: STATE,
    form: { name: 'aider', budget: '-1' },
    previews: {
      codex: {
        ...PREVIEW,
        problems: {
          name: 'A key named "aider" already exists.',
          budget: 'Enter a number greater than 0, such as 5.',
        },
      },
    },
    isSubmitted: true,
    outcome: { kind: 'none' },
  },
  {
    name: 'refused',
    title: 'Could not be connected',
    state: STATE,
    previews: PREVIEWS,
    isSubmitted: true,
    outcome: { kind: 'failed', problem: 'EACCES: permission denied, open ~/.codex/config.toml' },
  },
];

function tool(id: string, name: string, facts: Partial<ConnectTool>): ConnectTool {
  return {
    id,
    name,
    isInstalled: true,
    isFound: true,
    isConnected: false,
    isStale: false,
    documentation: 'https://example.com/',
    form: { tool: id, model: CHAT_MODEL, name, budget: '', period: 'monthly', sessionDollars: '', addsAliases: true },
    ...facts,
  };
}
