import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The root of the project. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** Built files, as the packaged extension holds them. */
export const DIST = join(ROOT, 'dist');

/** What is fetched once and used again: the editor host, the browser, and what `@vscode/test-electron` fetches. */
export const CACHE = join(ROOT, '.vscode-test');

/** Screenshots, page logs and server logs of the last test run. */
export const TEST_RESULTS = join(ROOT, 'test-results');

const require = createRequire(import.meta.url);

/** The folder of an installed package. */
export function packageFolder(name: string): string {
  return dirname(require.resolve(`${name}/package.json`));
}
