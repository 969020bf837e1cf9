import * as vscode from 'vscode';
import { ApiKey } from '../../service/apiKey.ts';

const SECRET = 'modelAccess.serviceKey';

/** A read-only source for machines without a keyring, such as remote hosts and containers. */
export const KEY_VARIABLE = 'MODEL_ACCESS_KEY';

export interface ServiceKey {
  readonly key: ApiKey;
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
    const stored = parse(await this.#secrets.get(SECRET));
    if (stored !== undefined) return { key: stored, source: 'secretStorage' };
    const fromEnvironment = parse(this.#environment[KEY_VARIABLE]);
    return fromEnvironment && { key: fromEnvironment, source: 'environment' };
  }

  /** Returns false if the key was not stored: some systems without a keyring drop it without an error. */
  async store(key: ApiKey): Promise<boolean> {
    await this.#secrets.store(SECRET, key.reveal());
    return (await this.#secrets.get(SECRET)) === key.reveal();
  }

  async remove(): Promise<void> {
    await this.#secrets.delete(SECRET);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

function parse(text: string | undefined): ApiKey | undefined {
  if (text === undefined) return undefined;
  const parsed = ApiKey.parse(text);
  return parsed.ok ? parsed.key : undefined;
}
