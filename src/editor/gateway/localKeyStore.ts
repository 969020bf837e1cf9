import type * as vscode from 'vscode';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import { createLocalKeySecret } from '../../gateway/localKey.ts';

const SECRET = 'modelAccess.localKey';

/** The local key that opens this user's gateway. It stays the same over restarts, so that tools keep working. */
export class LocalKeyStore {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** Makes the key when there is none yet. */
  async read(): Promise<IssuedKey> {
    const secret = (await this.#secrets.get(SECRET)) ?? (await this.#create());
    return { id: 'default', name: 'default', secret, createdAt: 0 };
  }

  /** Replaces the key; the earlier one opens nothing from now on. */
  async rotate(): Promise<IssuedKey> {
    await this.#create();
    return this.read();
  }

  /** Keeps what another window has made of the key: not every host tells all windows of changed secrets. */
  async adopt([key]: readonly IssuedKey[]): Promise<void> {
    if (key !== undefined && key.secret !== (await this.#secrets.get(SECRET))) {
      await this.#secrets.store(SECRET, key.secret);
    }
  }

  async #create(): Promise<string> {
    const secret = createLocalKeySecret();
    await this.#secrets.store(SECRET, secret);
    return secret;
  }
}
