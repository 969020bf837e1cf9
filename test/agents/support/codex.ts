/** Runs Codex without an account, with its own home folder, and with the gateway as its only server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { CODEX_VARIABLE } from '../../../scripts/lib/codexInstallation.ts';
import { temporaryFolder } from '../../../scripts/lib/temporaryFolder.ts';
import { startOutside } from './outside.ts';

/** Without these settings, Codex looks for updates, plugins, and an account, and reports its usage. */
const QUIET = [
  'check_for_update_on_startup=false',
  'analytics.enabled=false',
  'features.plugins=false',
  'features.apps=false',
  'features.plugin_sharing=false',
  'features.remote_plugin=false',
  'features.shell_snapshot=false',
];

export interface CodexOptions {
  /** Port of the gateway. */
  readonly port: number;
  readonly key: string;
  readonly model: string;
  readonly folder: string;
  readonly prompt: string;
  /** A home folder whose configuration names the provider and the model. A new one by default. */
  readonly home?: string;
  /** Additional settings, as `name=value` in TOML. */
  readonly settings?: readonly string[];
  /** Additional command-line arguments. */
  readonly args?: readonly string[];
  /** Additional environment variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Receives the process. */
  readonly onStart?: (child: ChildProcess) => void;
}

export interface CodexRun {
  readonly code: number | null;
  /** Its last message to the user. */
  readonly answer: string;
  /** The types of its actions, such as `command_execution`. */
  readonly done: readonly string[];
  /** The complete output. */
  readonly output: string;
  /** Hosts other than the gateway that it tried to reach. */
  readonly reached: readonly string[];
}

interface CodexEvent {
  readonly type: string;
  readonly item?: { readonly type: string; readonly text?: string };
}

/** Returns the path of the program, which `npm run test:agents` downloads; undefined if there is none. */
export function codexProgram(): string | undefined {
  return process.env[CODEX_VARIABLE] || undefined;
}

/** Skips the tests of a suite if there is no program. Returns a function that returns its path. */
export function needCodex(): () => string {
  let program = '';
  before(function () {
    const found = codexProgram();
    if (found === undefined) this.skip();
    program = found;
  });
  return () => program;
}

/** Runs one prompt to its end. Commands run without a sandbox, in a folder that the test deletes. */
export async function runCodex(program: string, options: CodexOptions): Promise<CodexRun> {
  const { port, key, model, folder, prompt, settings = [], args = [] } = options;
  const fresh = await temporaryFolder();
  const home = options.home ?? fresh.path;
  const outside = await startOutside();
  try {
    const provider = `model_providers.gateway={name="gateway",base_url="http://127.0.0.1:${port}/api/v1",env_key="GATEWAY_KEY",wire_api="responses"}`;
    const own = options.home === undefined ? ['model_provider="gateway"', provider, `model="${model}"`] : [];
    const configuration = [...own, ...QUIET, ...settings].flatMap((one) => ['-c', one]);
    const access = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    const child = spawn(program, ['exec', '--json', ...access, '-C', folder, ...configuration, ...args, '--', prompt], {
      env: {
        ...inherited(),
        HOME: home,
        USERPROFILE: home,
        CODEX_HOME: home,
        GATEWAY_KEY: key,
        ...outside.variables,
        ...options.variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    options.onStart?.(child);
    return { ...(await finished(child)), reached: outside.reached };
  } finally {
    await outside.close();
    await fresh.remove();
  }
}

/** Removes the developer's own settings of Codex, and keys, from the environment. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(CODEX|OPENAI)_|_KEY$/.test(name)));
}

async function finished(child: ChildProcess): Promise<Omit<CodexRun, 'reached'>> {
  let said = '';
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const items = said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as CodexEvent)
    .filter(({ type }) => type === 'item.completed')
    .flatMap(({ item }) => (item === undefined ? [] : [item]));
  const answer = items.findLast(({ type }) => type === 'agent_message')?.text ?? '';
  return { code, answer, done: items.map(({ type }) => type), output };
}
