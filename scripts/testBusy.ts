/**
 * Runs all tests three times while one process for each core burns it, as on a machine that others use, too. A test that
 * depends on time fails here before it fails there.
 *
 *     npm run test:busy                    three rounds of all stages
 *     npm run test:busy -- --rounds 1 unit  one round of some stages
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/paths.ts';

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '3' } },
  allowPositionals: true,
});

const burners = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
);
let failed = 0;
try {
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    console.log(`\n── round ${round}`);
    const tests = spawn(process.execPath, [join(ROOT, 'scripts', 'test.ts'), ...positionals], { stdio: 'inherit' });
    const [code] = await once(tests, 'exit');
    if (code !== 0) failed += 1;
  }
} finally {
  for (const burner of burners) burner.kill('SIGKILL');
}
console.log(`\n${Number(values.rounds) - failed} of ${values.rounds} rounds passed.`);
if (failed > 0) process.exitCode = 1;
