/**
 * Runs the suites of `test/agents`: coding agents through the gateway, as users run them.
 *
 *     npm run test:agents -- [files and options of mocha]
 *
 * Two files run at the same time, because an agent waits for its model, and some models of the tests write slowly.
 */
import { CODEX_VARIABLE, installCodex } from './lib/codexInstallation.ts';
import { runMocha } from './lib/mocha.ts';

const codex = await installCodex();
if (codex === undefined) {
  console.log(`Codex has no build for ${process.platform} on ${process.arch}; its tests are pending.`);
}
await runMocha({
  suites: ['test/agents/**/*.test.ts'],
  options: ['--timeout', '120000', '--parallel', '--jobs', '2'],
  env: { [CODEX_VARIABLE]: codex ?? '' },
});
