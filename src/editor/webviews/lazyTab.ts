import type * as vscode from 'vscode';
import { WebviewTab, type WebviewTabOptions } from './webviewTab.ts';

/** What a tab shows, while it is open. */
interface TabContent<ToHost> extends vscode.Disposable {
  receive(message: ToHost): unknown;
}

type LazyTabOptions<ToPage, ToHost, Content> = Omit<WebviewTabOptions<ToHost>, 'receive'> & {
  /** Loads the content with the first look at the tab. */
  readonly load: (post: (message: ToPage) => void) => Promise<Content>;
};

/** A tab whose content is loaded with the first look at it, and disposed of when it is closed. */
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

  /** Lets the content go; the next look loads it again. */
  close(): void {
    void this.#content?.then((content) => content.dispose());
    this.#content = undefined;
  }

  dispose(): void {
    this.close();
    this.tab.dispose();
  }
}
