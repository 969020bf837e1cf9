/**
 * Runs the suites of `test/agents`: coding agents as people use them, through the gateway.
 *
 *     npm run test:agents -- [files and options of mocha]
 */
import { join } from 'node:path';
import { CODEX_VARIABLE, installCodex } from './lib/codexInstallation.ts';
import { packageFolder, ROOT } from './lib/paths.ts';
import { runNode } from './lib/processes.ts';

const MOCHA = join(packageFolder('mocha'), 'bin', 'mocha.js');
const TIMEOUT_MS = 120_000;

const given = process.argv.slice(2);
const files = given.some((argument) => argument.endsWith('.ts')) ? [] : ['test/agents/**/*.test.ts'];

try {
  const codex = await installCodex();
  if (codex === undefined) {
    console.log(`Codex has no build for ${process.platform} on ${process.arch}; its tests are pending.`);
  }
  await runNode([MOCHA, '--timeout', String(TIMEOUT_MS), ...given, ...files], {
    cwd: ROOT,
    env: { ...process.env, [CODEX_VARIABLE]: codex ?? '' },
    show: true,
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
