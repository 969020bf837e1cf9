import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The root of the project. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** The build output, as in the packaged extension. */
export const DIST = join(ROOT, 'dist');

/** Downloads that are kept for later runs: the editor host, the browser, and those of `@vscode/test-electron`. */
export const CACHE = join(ROOT, '.vscode-test');

/** Screenshots, page logs, and server logs of the last test run. */
export const TEST_RESULTS = join(ROOT, 'test-results');

const require = createRequire(import.meta.url);

/** Returns the folder of an installed package. */
export function packageFolder(name: string): string {
  return dirname(require.resolve(`${name}/package.json`));
}
