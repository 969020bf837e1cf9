/**
 * Simulates a long day of the gateway: answers of all kinds, translated and not, and clients that disconnect in the
 * middle. Prints its resident memory from time to time, which should become constant. `--rounds N` (60).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bodyOf, open, run } from './load.ts';
import { start } from './processes.ts';
import { Programs, UPSTREAM } from './programs.ts';
import { WORKS, type Work } from './works.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '60' } } });

/** Requests of each work in a round. Works with large bodies or paced events are excluded to keep a round short. */
const REQUESTS = 500;
const SHORT_WORKS: readonly Work[] = WORKS.filter(({ bodyBytes, model }) => bodyBytes < 1000 && !model.endsWith('-1'));
const PATHS = ['/chat/completions', '/messages'];
const LEAVING = 150;
/** After this time the first events have arrived, and the last ones have not. In milliseconds. */
const LEAVES_AFTER_MS = 50;
const ROUNDS_BETWEEN_LINES = 4;

const upstream = await start(UPSTREAM);
const programs = new Programs(upstream);
const gateway = await start(programs.translatingGateway);

async function leave(path: string): Promise<void> {
  const request = open(gateway, path, bodyOf('events-200-5', 500));
  // The error of the client's own disconnection.
  request.on('error', () => undefined).on('response', (answer) => answer.resume().on('error', () => undefined));
  await pause(LEAVES_AFTER_MS);
  request.destroy();
}

try {
  let [answered, left] = [0, 0];
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const work of SHORT_WORKS) await run(gateway, { ...work, requests: REQUESTS });
    for (const path of PATHS) await Promise.all(Array.from({ length: LEAVING }, () => leave(path)));
    answered += SHORT_WORKS.length * REQUESTS;
    left += PATHS.length * LEAVING;
    if (round % ROUNDS_BETWEEN_LINES > 0) continue;
    console.log(`${answered} answered, ${left} left early: ${(gateway.memory() / 1e6).toFixed(0)} MB`);
  }
} finally {
  await gateway.stop();
  await upstream.stop();
  programs.remove();
}
