import * as vscode from 'vscode';
import type { Log } from '../../log/log.ts';
import type { Instructions } from './readInstructions.ts';

const INSTRUCTIONS_FILE = 'AGENTS.md';
/** The editor's setting for its own chat. */
const EDITOR_SETTING = 'chat.useAgentsMdFile';

/** Whether a file has instructions that are sent with every request. */
export function isInstructions(uri: vscode.Uri): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.some((folder) => vscode.Uri.joinPath(folder.uri, INSTRUCTIONS_FILE).toString() === uri.toString());
}

/**
 * The workspace's instructions for coding agents: `AGENTS.md` of its folders. Files of an untrusted workspace are not
 * read, because others control them; neither is a file with something that looks like a key.
 */
export class WorkspaceInstructions implements vscode.Disposable {
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #watchers: vscode.Disposable[] = [];
  #current: Instructions | undefined;
  /** The number of the latest reading. Results of earlier ones are ignored. */
  #reading = 0;

  readonly onDidChange = this.#changed.event;

  constructor(log: Log) {
    this.#log = log;
    const { workspace } = vscode;
    this.#subscriptions = [
      this.#changed,
      workspace.onDidChangeWorkspaceFolders(() => this.#watch()),
      workspace.onDidGrantWorkspaceTrust(() => this.#read()),
      workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(EDITOR_SETTING) && this.#read()),
    ];
    this.#watch();
  }

  get current(): Instructions | undefined {
    return this.#current;
  }

  /** Opens the file if it exists. */
  async open(): Promise<void> {
    if (this.#current !== undefined) await vscode.window.showTextDocument(this.#current.uri);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, ...this.#watchers).dispose();
  }

  #watch(): void {
    vscode.Disposable.from(...this.#watchers).dispose();
    const read = () => this.#read();
    this.#watchers = (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, INSTRUCTIONS_FILE));
      return [watcher, watcher.onDidCreate(read), watcher.onDidChange(read), watcher.onDidDelete(read)];
    });
    this.#read();
  }

  #read(): void {
    this.#reading += 1;
    const reading = this.#reading;
    this.#find()
      .then((found) => {
        if (reading !== this.#reading || found?.text === this.#current?.text) return;
        this.#current = found;
        this.#changed.fire();
      })
      .catch((error: unknown) => this.#log.error(`Could not read ${INSTRUCTIONS_FILE}`, error));
  }

  async #find(): Promise<Instructions | undefined> {
    const isWanted = vscode.workspace.getConfiguration().get(EDITOR_SETTING, true);
    if (!vscode.workspace.isTrusted || !isWanted) return undefined;
    const { readInstructions } = await import('./readInstructions.ts');
    return readInstructions(INSTRUCTIONS_FILE, this.#log);
  }
}
