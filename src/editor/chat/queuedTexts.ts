import type * as vscode from 'vscode';

const KEY = 'modelAccess.queued';
/** The maximum number of chats whose texts are kept. The oldest are forgotten first. */
const MAX_KEPT = 50;

/** The messages that wait for the ends of answers, one for each chat. They survive a restart of the window. */
export class QueuedTexts {
  readonly #memory: vscode.Memento;
  /** By chat ID. The memory of the editor can show an older value while it writes. */
  #all: Readonly<Record<string, string>>;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
    this.#all = memory.get(KEY, {});
  }

  /** Empty if nothing waits. */
  textIn(chat: string): string {
    return this.#all[chat] ?? '';
  }

  /** Adds a paragraph. */
  add(chat: string, text: string): void {
    const earlier = this.textIn(chat);
    const { [chat]: _, ...others } = this.#all;
    this.#keep({ ...others, [chat]: earlier === '' ? text : `${earlier}\n\n${text}` });
  }

  remove(chat: string): void {
    const { [chat]: text, ...others } = this.#all;
    if (text !== undefined) this.#keep(others);
  }

  #keep(all: Readonly<Record<string, string>>): void {
    this.#all = Object.fromEntries(Object.entries(all).slice(-MAX_KEPT));
    void this.#memory.update(KEY, this.#all);
  }
}
