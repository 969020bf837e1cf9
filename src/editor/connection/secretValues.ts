import * as vscode from 'vscode';
import type { KnownSecret } from '../../secrets/secretTable.ts';
import { onDidCreateFolder } from '../createdFolders.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';

const MAX_FILES = 100;
const EXCLUDED = '**/{node_modules,.git}/**';

/** The values that the user names as secret: environment variables, and those in files of the workspace. */
export class SecretValues implements vscode.Disposable {
  readonly #settings: Settings;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #watchers: readonly vscode.Disposable[] = [];
  #values: Promise<readonly KnownSecret[]> | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(settings: Settings, log: Log) {
    this.#settings = settings;
    this.#log = log;
    this.#subscription = vscode.Disposable.from(
      settings.onDidChange(['secrets.sources'], () => this.#forget()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#forget()),
    );
  }

  /** Reads the files again only after one of them has changed. */
  read(): Promise<readonly KnownSecret[]> {
    this.#values ??= this.#read();
    return this.#values;
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#changed, ...this.#watchers).dispose();
  }

  async #read(): Promise<readonly KnownSecret[]> {
    const { files: patterns, variables: names } = this.#settings.secretSources;
    this.#watch(patterns);
    const { assignedValues, namedSecrets } = await import('../../secrets/namedSecrets.ts');
    const found = await Promise.all(
      patterns.map((pattern) => vscode.workspace.findFiles(pattern, EXCLUDED, MAX_FILES)),
    );
    const texts = await Promise.all(found.flat().map((file) => this.#readText(file)));
    const variables = names.map((name) => ({ name, value: process.env[name] ?? '' }));
    return namedSecrets([...variables, ...texts.flatMap(assignedValues)]);
  }

  async #readText(file: vscode.Uri): Promise<string> {
    try {
      return Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
    } catch (error) {
      this.#log.warn(`Could not read the secrets in ${vscode.workspace.asRelativePath(file)}`, error);
      return '';
    }
  }

  #watch(patterns: readonly string[]): void {
    if (this.#watchers.length > 0) return;
    const forget = () => this.#forget();
    const watchers = patterns.map((pattern) => {
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      return vscode.Disposable.from(
        watcher,
        watcher.onDidChange(forget),
        watcher.onDidCreate(forget),
        watcher.onDidDelete(forget),
      );
    });
    this.#watchers = [...watchers, onDidCreateFolder(forget)];
  }

  #forget(): void {
    if (this.#values === undefined) return;
    this.#values = undefined;
    vscode.Disposable.from(...this.#watchers).dispose();
    this.#watchers = [];
    this.#changed.fire();
  }
}
