import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVE = fileURLToPath(new URL('../../../../src/gateway/serve.ts', import.meta.url));
const NOT_INHERITED = /^(?:MODEL_ACCESS_|(?:https?|no)_proxy$)/i;

/** `serve.ts` in a process of its own. */
export interface Served {
  readonly child: ChildProcess;
  readonly port: number;
  /** Everything on its standard output but the first line, which has the local key on purpose. */
  output(): string;
  errors(): string;
  /** Ends it as a terminal would. */
  stop(): Promise<void>;
}

export async function startServed(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Served> {
  const { child, output, errors } = run(['--port', '0', ...args], environment);
  if (child.stdout === null) throw new Error('It has no output.');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { port } = new URL((JSON.parse(line) as { address: string }).address);
  return {
    child,
    port: Number(port),
    output: () => output().slice(line.length),
    errors,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    },
  };
}

/** Everything that it prints until it ends by itself. */
export async function outputOf(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const { child, output, errors } = run(args, environment);
  await once(child, 'close');
  return `${output()}\n${errors()}`;
}

function run(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name)));
  const child = spawn(process.execPath, [SERVE, ...args], { env: { ...inherited, ...environment } });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return { child, output: () => output, errors: () => errors };
}
