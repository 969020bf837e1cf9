import * as vscode from 'vscode';
import { type MessageReader, nameOfType } from '../../pages/pageMessages.ts';
import { type Log, showFailure } from '../log/log.ts';
import { type PanelName, panelMedia, panelOptions, wholePage } from './panelPage.ts';

/** What a tab shows while it is open. */
export interface TabContent<ToHost> {
  /** Handles a message of the page. The first one is always `ready`. */
  receive(message: ToHost): unknown;
  dispose(): void;
}

/** Returns the content of a tab with its subscriptions, which end when it is closed. */
export function followed<ToHost>(
  receive: (message: ToHost) => unknown,
  ...subscriptions: readonly vscode.Disposable[]
): TabContent<ToHost> {
  return { receive, dispose: () => vscode.Disposable.from(...subscriptions).dispose() };
}

interface WebviewTabOptions<ToPage, ToHost, Content> {
  readonly extensionUri: vscode.Uri;
  /** An ID such as `modelAccess.usage`; the manifest lists it as `onWebviewPanel:…` among its activation events. */
  readonly viewType: string;
  readonly title: string;
  /** The name of a codicon. */
  readonly icon: string;
  readonly page: PanelName;
  /** Whether the tab is restored after the window was reloaded. Defaults to true. */
  readonly isKept?: false;
  readonly log: Log;
  /** Loads what checks the messages of the page, when the first one is received. */
  readonly reader: () => Promise<MessageReader<ToHost>>;
  /** Called when the tab is first shown, and again when it is opened after it was closed. */
  readonly load: (post: (message: ToPage) => void) => Content | Promise<Content>;
}

/**
 * A page in an editor tab, which is open at most once. It survives a reload of the window: the page sends `ready` again
 * and gets the whole state. The state itself is kept in the host, because the editor discards a hidden page. The content
 * is loaded when the tab is first shown, and disposed when it is closed.
 */
export class WebviewTab<
  ToPage,
  ToHost extends { readonly type: string },
  Content extends TabContent<ToHost> = TabContent<ToHost>,
> implements vscode.Disposable
{
  readonly #options: WebviewTabOptions<ToPage, ToHost, Content>;
  readonly #media: vscode.Uri;
  readonly #serializer: vscode.Disposable | undefined;
  readonly #closed = new vscode.EventEmitter<void>();
  #panel: vscode.WebviewPanel | undefined;
  #reader: Promise<MessageReader<ToHost>> | undefined;
  #title: string;
  #content: Promise<Content> | undefined;
  #opening: Promise<void> | undefined;

  /** Fires when the tab is closed, so that subscriptions for it can end. */
  readonly onDidClose = this.#closed.event;

  constructor(options: WebviewTabOptions<ToPage, ToHost, Content>) {
    this.#options = options;
    this.#title = options.title;
    this.#media = panelMedia(options.extensionUri);
    if (options.isKept === false) return;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(options.viewType, {
      deserializeWebviewPanel: (panel) => this.#adopt(panel),
    });
  }

  /** The title of the tab, which depends on what the page shows. */
  set title(title: string) {
    this.#title = title;
    if (this.#panel !== undefined) this.#panel.title = title;
  }

  get isOpen(): boolean {
    return this.#panel !== undefined;
  }

  /** Hidden pages receive no messages. They request the whole state when they are shown again. */
  get isVisible(): boolean {
    return this.#panel?.visible === true;
  }

  get content(): Promise<Content> {
    this.#content ??= Promise.resolve(this.#options.load((message) => this.post(message)));
    return this.#content;
  }

  /** Opens the tab in the active group, or reveals it if it is open. */
  async reveal(): Promise<void> {
    if (this.#panel !== undefined) {
      this.#panel.reveal();
      return;
    }
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  async #open(): Promise<void> {
    const { viewType } = this.#options;
    const [sleeping] = sleepingTabs(viewType);
    if (sleeping !== undefined) await wake(sleeping);
    if (this.isOpen) return;
    const column = sleeping?.group.viewColumn ?? vscode.ViewColumn.Active;
    await vscode.window.tabGroups.close(sleepingTabs(viewType));
    await this.#adopt(vscode.window.createWebviewPanel(viewType, this.#title, column, panelOptions(this.#media)));
  }

  /** Whether it is the editor in front of the group that has the focus. */
  get isActive(): boolean {
    return this.#panel?.active === true;
  }

  close(): void {
    this.#panel?.dispose();
  }

  post(message: ToPage): void {
    void this.#panel?.webview.postMessage(message);
  }

  dispose(): void {
    // Nobody has closed the tab: it is restored when the extension runs again.
    this.#closed.dispose();
    this.#panel?.dispose();
    this.dropContent();
    this.#serializer?.dispose();
  }

  /** Disposes the content, which is loaded again when it is next needed. */
  protected dropContent(): void {
    void this.#content?.then((content) => content.dispose());
    this.#content = undefined;
  }

  async #adopt(panel: vscode.WebviewPanel): Promise<void> {
    const { icon, page } = this.#options;
    this.#panel?.dispose();
    this.#panel = panel;
    panel.title = this.#title;
    panel.iconPath = new vscode.ThemeIcon(icon);
    panel.webview.options = panelOptions(this.#media);
    const received = panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    panel.onDidDispose(() => {
      received.dispose();
      if (this.#panel !== panel) return;
      this.#panel = undefined;
      this.dropContent();
      this.#closed.fire();
    });
    const html = await wholePage(panel.webview, this.#media, page);
    if (this.#panel === panel) panel.webview.html = html;
  }

  async #receive(received: unknown): Promise<void> {
    const { viewType, log } = this.#options;
    try {
      this.#reader ??= this.#options.reader();
      const message = (await this.#reader)(received);
      if (message === undefined) log.warn(`“${nameOfType(received)}” of ${viewType} is not a valid message`);
      else await (await this.content).receive(message);
    } catch (error) {
      showFailure(log, `“${nameOfType(received)}” of ${viewType} failed`, error);
    }
  }
}

/** Tabs that the editor has not restored yet: after a reload, it restores the page of a hidden tab when it is shown. */
function sleepingTabs(viewType: string): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(`-${viewType}`));
}

/** The words for the groups in the IDs of the commands that move the focus to them. */
const GROUPS = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];

/**
 * Shows a tab that is not restored yet, so that the editor restores its page with what it showed. There is no function
 * for this, only commands for the group in front.
 */
async function wake(tab: vscode.Tab): Promise<void> {
  const { tabs, viewColumn } = tab.group;
  await vscode.commands.executeCommand(`workbench.action.focus${GROUPS[viewColumn - 1] ?? 'Active'}EditorGroup`);
  await vscode.commands.executeCommand('workbench.action.openEditorAtIndex', tabs.indexOf(tab));
}
