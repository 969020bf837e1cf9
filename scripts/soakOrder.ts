/**
 * Tries the classes with state in many more orders than `npm test`, and prints how many schedules each suite of
 * `test/unit/order` has passed so far.
 *
 *     npm run soak:order                       100,000 schedules in each test of each suite
 *     npm run soak:order -- 5000 gateway       5,000 in the suites whose names contain a word; `--jobs 2` in two processes
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageFolder, ROOT } from './lib/paths.ts';

/** The most schedules that one process tries, so that its memory stays small. */
const SCHEDULES_A_ROUND = 1000;
const FOLDER = join('test', 'unit', 'order');
const SECOND_MS = 1000;

interface Suite {
  readonly file: string;
  passed: number;
  failedRounds: number;
  seconds: number;
}

const { values, positionals } = parseArgs({
  options: { jobs: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const [count = '100000', word = ''] = positionals;
const wanted = Number(count);
const suites = readdirSync(join(ROOT, FOLDER))
  .filter((name) => name.endsWith('.test.ts') && name.includes(word))
  .map((file): Suite => ({ file, passed: 0, failedRounds: 0, seconds: 0 }));
/** A round of each suite, then the next one of each, so that a soak that is ended early has tried all of them. */
const rounds = Array.from({ length: Math.ceil(wanted / SCHEDULES_A_ROUND) }, (_, nth) =>
  suites.map((suite) => ({ suite, schedules: Math.min(SCHEDULES_A_ROUND, wanted - nth * SCHEDULES_A_ROUND) })),
).flat();

await Promise.all(Array.from({ length: Number(values.jobs) }, runRounds));
if (suites.some(({ failedRounds }) => failedRounds > 0)) process.exitCode = 1;

async function runRounds(): Promise<void> {
  for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) {
    const { suite, schedules } = round;
    const began = performance.now();
    const mocha = spawn(
      process.execPath,
      [
        join(packageFolder('mocha'), 'bin', 'mocha.js'),
        // A chat keeps a timer of a minute, which a test need not wait for.
        '--exit',
        '--timeout',
        '0',
        '--reporter',
        'dot',
        join(FOLDER, suite.file),
      ],
      {
        cwd: ROOT,
        env: { ...process.env, ORDER_SCHEDULES: String(schedules) },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const output = mocha.stdout.setEncoding('utf8').toArray();
    const [code] = await once(mocha, 'close');
    suite.seconds += (performance.now() - began) / SECOND_MS;
    if (code === 0) suite.passed += schedules;
    else {
      suite.failedRounds += 1;
      console.log((await output).join(''));
    }
    report(suite);
  }
}

function report({ file, passed, failedRounds, seconds }: Suite): void {
  const failures = failedRounds === 0 ? '' : `, ${failedRounds} rounds failed`;
  console.log(`${file}: ${passed} schedules in each test, ${seconds.toFixed(0)} s${failures}`);
}
