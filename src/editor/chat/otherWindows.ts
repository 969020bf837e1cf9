import * as vscode from 'vscode';
import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import { FolderWatch } from '../../chat/conversation/folderWatch.ts';
import type { Lazy } from '../lazy.ts';
import type { Log } from '../log/log.ts';
import type { Chats } from './chats.ts';
import type { HistoryPanel } from './history/historyPanel.ts';

/** Reads what other windows write to the conversations: when it happens, or when this window gets the focus. */
export class OtherWindows implements vscode.Disposable {
  readonly #chats: Chats;
  readonly #history: Lazy<HistoryPanel>;
  readonly #log: Log;
  readonly #watch = new FolderWatch((fileNames) => void this.#follow(fileNames));
  readonly #focus: vscode.Disposable;

  constructor(store: ConversationStore, chats: Chats, history: Lazy<HistoryPanel>, log: Log) {
    this.#chats = chats;
    this.#history = history;
    this.#log = log;
    // Not every file system reports its changes.
    this.#focus = vscode.window.onDidChangeWindowState(({ focused }) => focused && void this.#follow(undefined));
    this.#watch.start(store.folder).catch((error: unknown) => log.warn('Saved chats cannot be watched', error));
  }

  dispose(): void {
    this.#focus.dispose();
    this.#watch.dispose();
  }

  async #follow(fileNames: readonly string[] | undefined): Promise<void> {
    try {
      await Promise.all([this.#chats.follow(fileNames), this.#history.current?.refresh(fileNames)]);
    } catch (error) {
      this.#log.error('Could not read the changes of another window', error);
    }
  }
}
