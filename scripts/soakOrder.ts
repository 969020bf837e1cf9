/**
 * Tries the classes with state in many more orders than `npm test`: `npm run soak:order [schedules]`. Each file of
 * `test/unit/order` tries about this many schedules, 100,000 by default, in rounds with other random numbers.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/paths.ts';

/** The most schedules that one process tries, so that its memory stays small. `npm test` tries 300. */
const SCHEDULES_A_ROUND = 15_000;
const SCHEDULES_OF_A_TEST = 300;

const wanted = Number(process.argv[2] ?? 100_000);
const folder = join('test', 'unit', 'order');
let hasFailed = false;

for (const file of readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.test.ts'))) {
  for (let left = wanted; left > 0; left -= SCHEDULES_A_ROUND) {
    const schedules = Math.min(left, SCHEDULES_A_ROUND);
    const { status } = spawnSync('npx', ['mocha', '--timeout', '0', join(folder, file)], {
      cwd: ROOT,
      env: { ...process.env, TEST_RUNS: String(schedules / SCHEDULES_OF_A_TEST) },
      stdio: 'inherit',
    });
    hasFailed ||= status !== 0;
  }
}
if (hasFailed) process.exitCode = 1;
