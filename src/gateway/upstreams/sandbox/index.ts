/** The sandbox: the whole service of the specification, offline. Its user documentation is `docs/sandbox.md`. */
import type { Upstream } from '../../core/upstream.ts';
import { Sandbox, type SandboxOptions } from './sandbox.ts';

export type { SandboxOptions } from './sandbox.ts';

export function createSandbox(options?: SandboxOptions): Upstream {
  return new Sandbox(options);
}
