import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { parseJson } from '../../formats/json.ts';
import { ApiKey, PREFIX } from '../../service/apiKey.ts';

const SECRET = 'modelAccess.serviceKey';

/** A read-only source for machines without a keyring, such as remote hosts and containers. */
export const KEY_VARIABLE = 'MODEL_ACCESS_KEY';

const storedKey = z.object({ key: z.string(), baseAddress: z.string() });

export interface ServiceKey {
  readonly key: ApiKey;
  /** The only address that the key may be sent to. Undefined if it is a variable. */
  readonly baseAddress?: string;
  readonly source: 'secretStorage' | 'environment';
}

/**
 * The user's prepaid key. It is stored in SecretStorage, which all windows share; an environment variable is the
 * fallback.
 */
export class ServiceKeys implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;

  /** Fires in every window when the key was set, changed, or removed in any of them. */
  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage, environment: NodeJS.ProcessEnv) {
    this.#secrets = secrets;
    this.#environment = environment;
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key === SECRET) this.#changed.fire();
    });
  }

  async read(): Promise<ServiceKey | undefined> {
    const stored = storedKey.safeParse(parseJson((await this.#secrets.get(SECRET)) ?? '')).data;
    if (stored?.key.startsWith(PREFIX)) {
      return { key: ApiKey.of(stored.key), baseAddress: stored.baseAddress, source: 'secretStorage' };
    }
    const pasted = this.#environment[KEY_VARIABLE];
    if (pasted === undefined) return undefined;
    const parsed = (await import('../../service/pastedKey.ts')).parseKey(pasted);
    return parsed.ok ? { key: parsed.key, source: 'environment' } : undefined;
  }

  /**
   * Stores the key together with its address: other windows receive the secret and the setting separately.
   * @returns false if the key was not stored: some systems without a keyring drop it without an error.
   */
  async store(key: ApiKey, baseAddress: string): Promise<boolean> {
    const text = JSON.stringify({ key: key.reveal(), baseAddress });
    await this.#secrets.store(SECRET, text);
    return (await this.#secrets.get(SECRET)) === text;
  }

  async remove(): Promise<void> {
    await this.#secrets.delete(SECRET);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
