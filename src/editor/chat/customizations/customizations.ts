import * as vscode from 'vscode';
import type { SentInstructions } from '../../../agent/customizations/found.ts';
import { Lazy } from '../../lazy.ts';
import type { Log } from '../../log/log.ts';
import type { ModelList } from '../../models/modelList.ts';
import type { CustomizationFiles } from './customizationFiles.ts';

/**
 * The instructions, skills, and agents of the workspace and of the user. Their files are looked for when they are first
 * needed: for a chat that is shown, or for a request.
 */
export class Customizations implements vscode.Disposable {
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #files: Lazy<CustomizationFiles>;

  readonly onDidChange = this.#changed.event;

  /**
   * @param memory the state of the workspace: which files are switched off.
   * @param prompts the editor's folder for prompts.
   */
  constructor(memory: vscode.Memento, prompts: vscode.Uri, models: Pick<ModelList, 'state' | 'onDidChange'>, log: Log) {
    this.#log = log;
    this.#files = new Lazy(async () => {
      const { CustomizationFiles } = await import('./customizationFiles.ts');
      return new CustomizationFiles({ memory, prompts, models, log, onDidChange: () => this.#changed.fire() });
    });
  }

  /** The files, once their reader is loaded, which this starts. */
  get files(): CustomizationFiles | undefined {
    if (this.#files.current === undefined) {
      this.ready().catch((error: unknown) => this.#log.error('Could not read instructions, skills, and agents', error));
    }
    return this.#files.current;
  }

  /** What each request contains; undefined for nothing. */
  get sent(): SentInstructions | undefined {
    return this.files?.sent;
  }

  /** Resolves when the files are read as they are now. */
  async ready(): Promise<CustomizationFiles> {
    const files = await this.#files.get();
    await files.settled;
    return files;
  }

  dispose(): void {
    this.#files.dispose();
    this.#changed.dispose();
  }
}
