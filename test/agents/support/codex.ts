/** Codex without an account, in a home of its own, with nothing but the gateway to talk to. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { CODEX_VARIABLE } from '../../../scripts/lib/codexInstallation.ts';
import { temporaryFolder } from '../../../scripts/lib/temporaryFolder.ts';
import { startOutside } from './outside.ts';

/** Without these it looks for updates, plugins and an account, and reports what it does. */
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
  /** Of the gateway. */
  readonly port: number;
  readonly key: string;
  readonly model: string;
  readonly folder: string;
  readonly prompt: string;
  /** A home whose configuration names provider and model, in place of a fresh one. */
  readonly home?: string;
  /** Further settings, as `name=value` in TOML. */
  readonly settings?: readonly string[];
  /** Further arguments of the command line. */
  readonly args?: readonly string[];
}

export interface CodexRun {
  readonly code: number | null;
  /** What it told the user last. */
  readonly answer: string;
  /** The types of the things that it did, such as `command_execution`. */
  readonly done: readonly string[];
  /** Everything that it printed. */
  readonly output: string;
  /** Hosts that it tried to reach beside the gateway. */
  readonly reached: readonly string[];
}

interface CodexEvent {
  readonly type: string;
  readonly item?: { readonly type: string; readonly text?: string };
}

/** The program, or `undefined` where there is none; `npm run test:agents` fetches it. */
export function codexProgram(): string | undefined {
  return process.env[CODEX_VARIABLE] || undefined;
}

/** Runs one prompt to its end. Its commands run without a sandbox, in a folder that the test throws away. */
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
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { ...(await finished(child)), reached: outside.reached };
  } finally {
    await outside.close();
    await fresh.remove();
  }
}

/** Settings of the developer's own Codex and keys have no place in a test. */
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
