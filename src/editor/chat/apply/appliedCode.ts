import type * as vscode from 'vscode';
import type { ChatHostMessage } from '../../../pages/chat/protocol.ts';
import { codeKey } from '../../../rules/codeKey.ts';

const KEY = 'modelAccess.appliedCode';
/** The oldest are forgotten first. */
const MAX_REMEMBERED = 200;

/** The code blocks of this workspace of which a change was accepted, so that a panel that is loaded again shows them. */
export class AppliedCode {
  readonly #memory: vscode.Memento;
  readonly #post: (message: ChatHostMessage) => void;

  constructor(memory: vscode.Memento, post: (message: ChatHostMessage) => void) {
    this.#memory = memory;
    this.#post = post;
  }

  async add(codes: readonly string[]): Promise<void> {
    await this.#keep([...new Set([...this.#all, ...codes.map(codeKey)])]);
  }

  /** The changes were undone. */
  async remove(codes: readonly string[]): Promise<void> {
    const undone = new Set(codes.map(codeKey));
    await this.#keep(this.#all.filter((code) => !undone.has(code)));
  }

  /** Tells a panel that is ready. */
  repeat(): void {
    if (this.#all.length > 0) this.#post({ type: 'applied', codes: this.#all });
  }

  async #keep(codes: readonly string[]): Promise<void> {
    await this.#memory.update(KEY, codes.slice(-MAX_REMEMBERED));
    this.#post({ type: 'applied', codes: this.#all });
  }

  get #all(): readonly string[] {
    return this.#memory.get<readonly string[]>(KEY, []);
  }
}
