/**
 * Runs the suites of `test/panels`: the built panels in a plain browser, with a scripted host.
 *
 *     npm run test:panels -- [files and options of mocha]
 */
import { runMocha } from './lib/mocha.ts';

await runMocha({
  suites: ['test/panels/**/*.test.ts'],
  // Resources that a failed test left open must not keep the run from ending.
  options: ['--exit', '--require', 'test/support/panels/mochaHooks.ts', '--timeout', '120000'],
});
