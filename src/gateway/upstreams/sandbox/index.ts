/** The sandbox: the whole service of the specification, offline. Its user documentation is `docs/sandbox.md`. */
import { Sandbox, type SandboxOptions } from './sandbox.ts';

export type { Sandbox, SandboxOptions } from './sandbox.ts';

export function createSandbox(options?: SandboxOptions): Sandbox {
  return new Sandbox(options);
}
