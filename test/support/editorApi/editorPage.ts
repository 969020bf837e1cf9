import assert from 'node:assert/strict';
import { Disposable, EventEmitter, type Uri } from './vscode.ts';

/** A page in an editor tab: what it has received, and what it can send. */
export class EditorPage<ToPage extends { readonly type: string }, ToHost> {
  readonly received: ToPage[] = [];
  readonly #closed = new EventEmitter<void>();
  isOpen = true;
  /** Resolves when the host has done what the message asks for. */
  send: (message: ToHost) => Promise<unknown> = async () => assert.fail('Nobody listens.');

  readonly panel = {
    webview: {
      onDidReceiveMessage: (listener: typeof this.send) => {
        this.send = async (message) => (this.isOpen ? listener(message) : undefined);
        return Disposable.from();
      },
      postMessage: async (message: ToPage) => this.received.push(message),
      asWebviewUri: (uri: Uri) => uri,
    },
    onDidDispose: this.#closed.event,
    reveal: () => undefined,
    dispose: () => this.close(),
  };

  close(): void {
    this.isOpen = false;
    this.#closed.fire();
  }

  last<Type extends ToPage['type']>(type: Type): Extract<ToPage, { readonly type: Type }> | undefined {
    return this.received.findLast((message) => message.type === type) as never;
  }
}
