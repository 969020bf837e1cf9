import type * as vscode from 'vscode';
import { WebviewTab, type WebviewTabOptions } from './webviewTab.ts';

/** The content of a tab while it is open. */
interface TabContent<ToHost> extends vscode.Disposable {
  receive(message: ToHost): unknown;
}

type LazyTabOptions<ToPage, ToHost, Content> = Omit<WebviewTabOptions<ToHost>, 'receive'> & {
  /** Loads the content when the tab is first shown. */
  readonly load: (post: (message: ToPage) => void) => Promise<Content>;
};

/** A tab whose content is loaded when it is first shown, and disposed when it is closed. */
export class LazyTab<ToPage, ToHost extends { readonly type: string }, Content extends TabContent<ToHost>>
  implements vscode.Disposable
{
  readonly tab: WebviewTab<ToPage, ToHost>;
  readonly #load: () => Promise<Content>;
  #content: Promise<Content> | undefined;

  constructor({ load, ...options }: LazyTabOptions<ToPage, ToHost, Content>) {
    this.tab = new WebviewTab({ ...options, receive: async (message) => (await this.content).receive(message) });
    this.#load = () => load((message) => this.tab.post(message));
    this.tab.onDidClose(() => this.close());
  }

  get content(): Promise<Content> {
    this.#content ??= this.#load();
    return this.#content;
  }

  /** Disposes the content. It is loaded again when the tab is next shown. */
  close(): void {
    void this.#content?.then((content) => content.dispose());
    this.#content = undefined;
  }

  dispose(): void {
    this.close();
    this.tab.dispose();
  }
}
