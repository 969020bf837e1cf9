import type { NetworkSettings } from './dispatcher.ts';
import type { SandboxOptions } from './sandbox/index.ts';
import type { Upstream } from './upstream.ts';

/** Which upstream, in a form that travels between threads. */
export type UpstreamSettings =
  | { readonly kind: 'sandbox' }
  | {
      readonly kind: 'hosted';
      /** With the prefix, such as `https://host/api/v1`. */
      readonly baseAddress: string;
      readonly serviceKey: string;
      readonly network?: NetworkSettings;
    };

export type SandboxSettings = Pick<SandboxOptions, 'credit' | 'sharedCredit' | 'delayMs'>;

/**
 * Opens upstreams and closes those no longer used. All who ask for the sandbox get the same one, so that they draw
 * on the same credit. The code of an upstream is loaded when it is first asked for.
 */
export class Upstreams {
  readonly #sandboxDefaults: SandboxSettings;
  #sandbox: Promise<Upstream> | undefined;

  constructor(sandboxDefaults: SandboxSettings = {}) {
    this.#sandboxDefaults = sandboxDefaults;
  }

  /** @throws {TypeError} when the base address is not an http or https address. */
  async open(settings: UpstreamSettings, sandbox: SandboxSettings = {}): Promise<Upstream> {
    if (settings.kind === 'sandbox') {
      this.#sandbox ??= openSandbox({ ...this.#sandboxDefaults, ...sandbox });
      return this.#sandbox;
    }
    const { createHosted } = await import('./hosted.ts');
    return createHosted(settings);
  }

  /** Ends an upstream once its requests are done; the sandbox stays. */
  async release(upstream: Upstream): Promise<void> {
    if (upstream !== (await this.#sandbox)) await upstream.close();
  }

  async close(): Promise<void> {
    await (await this.#sandbox)?.close();
  }
}

async function openSandbox(settings: SandboxSettings): Promise<Upstream> {
  const { createSandbox } = await import('./sandbox/index.ts');
  return createSandbox(settings);
}
