import * as vscode from 'vscode';

const PREFIX = 'modelAccess.upstreamKey.';

/** The keys of upstreams other than the service, by their names in the settings. */
export class UpstreamKeys implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key.startsWith(PREFIX)) this.#changed.fire();
    });
  }

  async read(name: string): Promise<string | undefined> {
    return await this.#secrets.get(PREFIX + name);
  }

  async store(name: string, key: string): Promise<void> {
    await this.#secrets.store(PREFIX + name, key);
  }

  async remove(name: string): Promise<void> {
    await this.#secrets.delete(PREFIX + name);
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#changed).dispose();
  }
}
