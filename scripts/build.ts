/**
 * Builds `dist`. `--dev` keeps the output readable, with source maps; `--watch` rebuilds on every change;
 * `--host-tests` also bundles the suites that run inside the extension host.
 */
import { parseArgs } from 'node:util';
import { buildBundles, watchBundles } from './lib/bundles.ts';
import { bundleHostTests } from './lib/hostTests.ts';
import { buildForProduction } from './lib/vsix.ts';

const { values } = parseArgs({
  options: { dev: { type: 'boolean' }, watch: { type: 'boolean' }, 'host-tests': { type: 'boolean' } },
});

if (values.watch) await watchBundles();
else if (values.dev) await buildBundles({ development: true });
else await buildForProduction();
if (values['host-tests']) await bundleHostTests();
