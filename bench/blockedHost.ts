/** Measures whether the gateway in its worker answers as fast while the extension host is blocked. */
import { setTimeout as pause } from 'node:timers/promises';
import { median, run } from './load.ts';
import { start, type Target } from './processes.ts';
import type { Work } from './works.ts';

export interface BlockedHost {
  /** Medians of complete answers, in milliseconds. */
  readonly freeMs: number;
  readonly blockedMs: number;
}

/** Longer than one of the host's blocks. In milliseconds. */
const SETTLED_MS = 600;

/** Measures alternately with the host free and blocked. Needs the built worker. */
export async function measureBlockedHost(
  upstream: Target,
  ledger: string,
  work: Work,
  rounds: number,
): Promise<BlockedHost> {
  const host = await start({ name: 'host', command: ['bench/hostProcess.ts', upstream.address, ledger] });
  const free: number[] = [];
  const blocked: number[] = [];
  await run(host, work);
  for (let round = 0; round < rounds; round++) {
    free.push((await run(host, work)).totalMs);
    host.tell('block');
    await pause(SETTLED_MS);
    blocked.push((await run(host, work)).totalMs);
    host.tell('go on');
    await pause(SETTLED_MS);
  }
  await host.stop();
  return { freeMs: median(free), blockedMs: median(blocked) };
}
