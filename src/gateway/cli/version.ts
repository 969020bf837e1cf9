import { readFileSync } from 'node:fs';

/** Set by the build. Undefined if the sources run from a checkout. */
declare const BUILD_VERSION: string | undefined;

/** The version of the project, such as `0.1.0`. */
export function gatewayVersion(): string {
  if (typeof BUILD_VERSION === 'string') return BUILD_VERSION;
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
