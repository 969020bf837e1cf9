import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVE = fileURLToPath(new URL('../../../src/gateway/serve.ts', import.meta.url));

/** A gateway in a process of its own, as a user starts it. */
export interface ServedGateway {
  /** Such as `http://127.0.0.1:8787/api/v1`, for clients that append `/chat/completions`. */
  readonly address: string;
  /** Without `/v1`, for clients that append `/v1/messages`. */
  readonly root: string;
  readonly key: string;
  /** Everything that the process has printed. */
  readonly output: () => string;
  stop(): Promise<void>;
}

async function serve(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<ServedGateway> {
  const child = spawn(process.execPath, [SERVE, '--port', '0', ...args], { env: { ...process.env, ...environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { address, key } = JSON.parse(line) as { address: string; key: string };
  return { address, key, root: address.replace(/\/v1$/, ''), output: () => output, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

const SANDBOX = ['--upstream', 'sandbox', '--delay', '1'];

export interface Setup {
  readonly name: string;
  start(): Promise<ServedGateway>;
}

/** The sandbox behind one gateway, and behind two: the outer one passes through what the inner one answers. */
export const SETUPS: readonly Setup[] = [
  { name: 'the sandbox', start: () => serve(SANDBOX) },
  { name: 'a hosted service', start: startChain },
];

export interface ChainedGateway extends ServedGateway {
  /** The hosted service of the outer gateway. */
  readonly inner: ServedGateway;
}

export async function startChain(): Promise<ChainedGateway> {
  const inner = await serve(SANDBOX);
  const outer = await serve(['--upstream', `hosted:${inner.address}`], { MODEL_ACCESS_KEY: inner.key });
  return {
    ...outer,
    inner,
    async stop() {
      await outer.stop();
      await inner.stop();
    },
  };
}
