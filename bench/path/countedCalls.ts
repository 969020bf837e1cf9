/** Counts the calls of the project's own functions that one exchange takes, in a gateway that runs from its sources. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ask, bodyOf } from '../load.ts';
import { type Program, start } from '../processes.ts';
import { Programs, UPSTREAM } from '../programs.ts';
import type { CalledFunction, TakenCalls } from './callCounter.ts';

/** The calls of a work, each divided by the number of exchanges or events. */
export interface CountedCalls {
  readonly name: string;
  readonly unit: 'exchange' | 'event';
  readonly functions: readonly CalledFunction[];
}

type Kind = 'passed' | 'translated';

/** The names of the works of a session. */
export const MEASURED = 'answer to a session, measured';
export const UNMEASURED = 'answer to a session, not measured';

/** How a request is sent whose session is known. */
const SESSION = { 'x-session-id': 'one' };
const SESSION_EXCHANGES = 10;
const POLL_MS = 20;
/** A longer body is read while the upstream answers, as those of agents are. */
const SESSION_BYTES = 20_000;

const EXCHANGES = 200;
/** Compiled code calls the same functions, but a first exchange also opens connections and fills caches. */
const WARM_UP = 100;
const FEW_EVENTS = 40;
const MANY_EVENTS = 140;
/** Events that arrive one at a time, each in a piece of its own. */
const STREAMS = 10;

const PATHS = { passed: '/chat/completions', translated: '/messages' } as const;

/**
 * Returns what a JSON answer calls, and what each further event of a stream calls, passed and translated. Passed is a
 * chat completion, and translated a message, both by an upstream that only supports chat-completions.
 */
export async function countCalls(): Promise<readonly CountedCalls[]> {
  const upstream = await start(UPSTREAM);
  const programs = new Programs(upstream);
  const gateway = await CountedGateway.start(programs.translatingGateway);
  const unmeasuring = await CountedGateway.start(programs.unmeasuringGateway);
  try {
    return [
      ...(await countKind(gateway, 'passed')),
      ...(await countKind(gateway, 'translated')),
      ...(await countSessions(gateway, true)),
      ...(await countSessions(unmeasuring, false)),
    ];
  } finally {
    await Promise.all([gateway.stop(), unmeasuring.stop()]);
    await upstream.stop();
    programs.remove();
  }
}

async function countKind(gateway: CountedGateway, kind: Kind): Promise<readonly CountedCalls[]> {
  await gateway.count(kind, 'json', WARM_UP);
  const json = await gateway.count(kind, 'json', EXCHANGES);
  await gateway.count(kind, `events-${FEW_EVENTS}-1`, STREAMS);
  const few = await gateway.count(kind, `events-${FEW_EVENTS}-1`, STREAMS);
  const many = await gateway.count(kind, `events-${MANY_EVENTS}-1`, STREAMS);
  return [
    { name: `JSON answer, ${kind}`, unit: 'exchange', functions: json },
    { name: `each further event, ${kind}`, unit: 'event', functions: perEvent(few, many) },
  ];
}

/** Counts what is called until the answer has ended, with or without the measure of what the request consists of. */
async function countSessions(gateway: CountedGateway, isMeasured: boolean): Promise<readonly CountedCalls[]> {
  await gateway.count('passed', 'json', WARM_UP);
  await gateway.countSession(1, isMeasured);
  const functions = await gateway.countSession(SESSION_EXCHANGES, isMeasured);
  return [{ name: isMeasured ? MEASURED : UNMEASURED, unit: 'exchange', functions }];
}

/** Returns the additional calls of the longer streams for each of their additional events. */
function perEvent(few: readonly CalledFunction[], many: readonly CalledFunction[]): CalledFunction[] {
  const before = new Map(few.map((each) => [keyOf(each), each.calls]));
  return many.flatMap((each) => {
    const calls = (each.calls - (before.get(keyOf(each)) ?? 0)) / (MANY_EVENTS - FEW_EVENTS);
    return calls < 0.01 ? [] : [{ ...each, calls }];
  });
}

function keyOf({ file, at }: CalledFunction): string {
  return `${file}:${at}`;
}

/** A gateway from its sources whose calls are counted. */
class CountedGateway {
  readonly #process: ChildProcess;
  readonly #target: { readonly address: string; readonly key: string };

  private constructor(process: ChildProcess, target: { readonly address: string; readonly key: string }) {
    this.#process = process;
    this.#target = target;
  }

  static async start({ command, environment }: Program): Promise<CountedGateway> {
    const counter = fileURLToPath(new URL('callCounter.ts', import.meta.url));
    const args = command.slice(command.indexOf('--port'));
    const child = spawn(process.execPath, ['--import', counter, 'packages/gateway/src/cli/serve.ts', ...args], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const lines = child.stdout && createInterface(child.stdout);
    const [line] = lines === null ? [''] : ((await once(lines, 'line')) as [string]);
    return new CountedGateway(child, JSON.parse(line));
  }

  /** Sends requests one after the other, and returns the calls of each, on average. */
  async count(kind: Kind, model: string, requests: number): Promise<readonly CalledFunction[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await this.#take();
    for (let sent = 0; sent < requests; sent++) await ask(this.#target, PATHS[kind], bodyOf(model, 500), agent);
    const { path, later } = await this.#take();
    agent.destroy();
    return added([...path, ...later], requests);
  }

  /**
   * Like {@link count}, but only what is called before the end of each answer. Waits for the measure of each request, so
   * that none is counted with the next request.
   */
  async countSession(requests: number, isMeasured: boolean): Promise<readonly CalledFunction[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = bodyOf('json', SESSION_BYTES);
    const all: CalledFunction[] = [];
    for (let sent = 0; sent < requests; sent++) {
      await ask(this.#target, PATHS.passed, body, agent, SESSION);
      let [isFinished, isEntered] = [false, !isMeasured];
      for (;;) {
        const { path, later } = await this.#take();
        // The client may have the whole answer before the gateway notices that it has ended.
        isFinished ||= path.length > 0;
        all.push(...(isFinished ? path : later));
        isEntered ||= later.some(({ name }) => name === 'addContext');
        if (isFinished && isEntered) break;
        await delay(POLL_MS);
      }
    }
    agent.destroy();
    return added(all, requests);
  }

  async #take(): Promise<TakenCalls> {
    const taken = once(this.#process, 'message') as Promise<[TakenCalls]>;
    this.#process.send('take');
    const [calls] = await taken;
    return calls;
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill();
    await exited;
  }
}

/** Adds up the calls of each function, for one of the requests. */
function added(calls: readonly CalledFunction[], requests: number): readonly CalledFunction[] {
  return [...Map.groupBy(calls, keyOf).values()].map((same) => ({
    ...(same[0] as CalledFunction),
    calls: same.reduce((sum, { calls: some }) => sum + some, 0) / requests,
  }));
}

/** Functions that are called more rarely belong to batches and timers, and do not count. */
const RARE = 0.5;

/** @returns for all files, or those in a folder: calls, functions, and files. */
export function sumOf({ functions, unit }: CountedCalls, folder = '') {
  const inside = functions.filter(({ file }) => file.startsWith(folder));
  const counted = unit === 'event' ? inside : inside.filter(({ calls }) => calls >= RARE);
  return {
    calls: inside.reduce((sum, { calls }) => sum + calls, 0),
    functions: counted.length,
    files: new Set(counted.map(({ file }) => file)).size,
  };
}
