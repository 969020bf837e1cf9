/**
 * Runs the suites of `test/agents`: coding agents through the gateway, as users run them.
 *
 *     npm run test:agents -- [files and options of mocha]
 */
import { CODEX_VARIABLE, installCodex } from './lib/codexInstallation.ts';
import { runMocha } from './lib/mocha.ts';

const codex = await installCodex();
if (codex === undefined) {
  console.log(`Codex has no build for ${process.platform} on ${process.arch}; its tests are pending.`);
}
await runMocha({
  suites: ['test/agents/**/*.test.ts'],
  options: ['--timeout', '120000'],
  env: { [CODEX_VARIABLE]: codex ?? '' },
});
