/** Claude Code and opencode as they are started in the measures of this folder. Neither needs an account. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOutside } from '../../test/agents/support/outside.ts';
import { LOCAL_KEY } from '../../test/unit/gateway/support/client.ts';
import { closeLater } from '../../test/unit/gateway/support/gateway.ts';

const TIMEOUT_MS = 180_000;

export interface Place {
  readonly packages: string;
  readonly folder: string;
  readonly port: number;
  readonly model: string;
}

export interface Client {
  readonly name: string;
  /** Writes the configuration, and returns the environment variables. */
  prepare(place: Place): Readonly<Record<string, string>>;
  /** @returns the program and its arguments. */
  command(place: Place, question: string, isFirst: boolean): readonly [string, ...string[]];
}

const CLAUDE_CODE: Client = {
  name: 'Claude Code',
  prepare: ({ port }) => ({
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}/api`,
    ANTHROPIC_API_KEY: LOCAL_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  command: ({ packages, model }, question, isFirst) => [
    join(packages, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude'),
    ...['--print', question, '--model', model, '--allowedTools', 'Bash'],
    ...(isFirst ? [] : ['--continue']),
  ],
};

function openCode(name: string, npm: string): Client {
  return {
    name,
    prepare: ({ folder, port, model }) => {
      const options = { baseURL: `http://127.0.0.1:${port}/api/v1`, apiKey: LOCAL_KEY };
      const limit = { context: 128_000, output: 32_000 };
      const provider = { gateway: { npm, name: 'Gateway', options, models: { [model]: { name: model, limit } } } };
      const config = { provider, model: `gateway/${model}`, small_model: `gateway/${model}`, autoupdate: false };
      writeFileSync(join(folder, 'opencode.json'), JSON.stringify({ ...config, permission: { bash: 'allow' } }));
      return { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' };
    },
    command: ({ packages }, question, isFirst) => [
      join(packages, 'node_modules/opencode-linux-x64/bin/opencode'),
      ...['run', ...(isFirst ? [] : ['--continue']), question],
    ],
  };
}

export const CLIENTS: readonly Client[] = [
  CLAUDE_CODE,
  openCode('opencode (messages)', '@ai-sdk/anthropic'),
  openCode('opencode (responses)', '@ai-sdk/openai'),
];

/** Starts a client in its folder, with a home of its own and no way to other machines. */
export async function ask(client: Client, place: Place, question: string, isFirst: boolean) {
  const outside = await startOutside();
  closeLater(() => outside.close());
  mkdirSync(place.folder, { recursive: true });
  const home = { HOME: join(place.folder, '..'), XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' };
  const env = { PATH: process.env.PATH, ...home, ...client.prepare(place), ...outside.variables };
  return run(client.command(place, question, isFirst), place.folder, env);
}

async function run(command: readonly [string, ...string[]], folder: string, env: NodeJS.ProcessEnv) {
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
  const [code] = await once(child, 'close');
  return { code: code as number | null, output };
}
