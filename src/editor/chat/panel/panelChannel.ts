import * as vscode from 'vscode';
import type { ChatHostMessage } from '../../../pages/chat/protocol.ts';

/** The messages to a panel or tab. While no page exists, they are dropped; a new one requests the whole state. */
export class PanelChannel implements vscode.Disposable {
  readonly #posted = new vscode.EventEmitter<ChatHostMessage>();

  readonly onDidPost = this.#posted.event;

  /** Returns whether the user sees the page. Set by the view. */
  isVisible: () => boolean = () => false;

  /** Shows the panel or tab. Set by the view. */
  reveal: () => unknown = () => undefined;

  readonly post = (message: ChatHostMessage): void => this.#posted.fire(message);

  dispose(): void {
    this.#posted.dispose();
  }
}
