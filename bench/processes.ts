/** The processes of a benchmark: starts them, reads their address, and measures their CPU and memory. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Target {
  readonly name: string;
  readonly address: string;
  readonly key: string;
  /** Milliseconds from the start of the process to its first line. */
  readonly startMs: number;
  /** CPU seconds that the process has used so far. */
  cpuSeconds(): number;
  /** Memory of the process, in bytes. */
  memory(): number;
  /** Sends the process a message, if it accepts any. */
  tell(message: string): void;
  stop(): Promise<void>;
}

export interface Program {
  readonly name: string;
  /** The arguments of `node`, with the `root` as the working directory. */
  readonly command: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** The root of the project, or of another checkout of it. */
  readonly root?: string;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Called in the child process: listens on a free port and prints it as `serve.ts` does. */
export function announce(server: Server): void {
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => {
    const { port } = server.address() as AddressInfo;
    console.log(JSON.stringify({ address: `http://127.0.0.1:${port}/api/v1`, key: 'key_none' }));
  });
}

/** Starts a program and waits for its address. */
export async function start({ name, command, environment = {}, root = ROOT }: Program): Promise<Target> {
  const begun = performance.now();
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const startMs = performance.now() - begun;
  const { address, key } = JSON.parse(line) as { address: string; key: string };
  const pid = child.pid ?? 0;
  return {
    name,
    address,
    key,
    startMs,
    cpuSeconds: () => cpuSeconds(pid),
    memory: () => residentBytes(pid),
    tell: (message) => child.stdin.write(`${message}\n`),
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

function cpuSeconds(pid: number): number {
  return process.platform === 'linux' ? cpuSecondsByScheduler(pid) : cpuSecondsByPs(pid);
}

/**
 * Reads nanoseconds, because the resolution of `/proc/PID/stat`, 10 ms, is a twentieth of what a round of bursts takes.
 */
function cpuSecondsByScheduler(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = tasks.map((task) => Number(readSchedule(pid, task).split(' ', 1)[0]));
  return nanoseconds.reduce((sum, of) => sum + of, 0) / 1e9;
}

function readSchedule(pid: number, task: string): string {
  return readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8');
}

/** Parses `[[days-]hours:]minutes:seconds`. */
function cpuSecondsByPs(pid: number): number {
  const text = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return text.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0);
}

function residentBytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}
