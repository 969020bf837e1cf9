import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../../../display/errors.ts';
import { defined } from '../../../formats/json.ts';
import type { ConnectPageMessage } from '../../../pages/connectTool/connectMessages.ts';
import type {
  ConnectForm,
  ConnectHostMessage,
  ConnectOutcome,
  ConnectPreview,
} from '../../../pages/connectTool/protocol.ts';
import { placeShown } from '../../../tools/configurationPlace.ts';
import { MASKED_KEY } from '../../../tools/fileDiff.ts';
import { previewFile } from '../../../tools/filePreview.ts';
import type { ClientProgram, ToolAccess } from '../../../tools/tool.ts';
import { TOOLS } from '../../../tools/toolList.ts';
import { Claim } from '../../claim.ts';
import { copyText } from '../../doneMessage.ts';
import { ensureRunning } from '../../gateway/ensureRunning.ts';
import { expectedAddress } from '../../gateway/expectedAddress.ts';
import { followed, type TabContent, WebviewTab } from '../../webviews/webviewTab.ts';
import { connect, disconnect, modelAccess, neededAliases } from '../connectTool.ts';
import { keyOfForm } from './connectForm.ts';
import { type ConnectPageServices, connectState } from './connectState.ts';
import { ToolChecker } from './toolChecker.ts';
import { type FoundTool, fileOf, ToolFinder } from './toolFinder.ts';

/** The tab that connects a tool. Secrets are never sent to the page. */
export class ConnectPage {
  readonly #services: ConnectPageServices;
  readonly #tab: WebviewTab<ConnectHostMessage, ConnectPageMessage>;
  readonly #finder = new ToolFinder();
  #found: readonly FoundTool[] = [];
  #checker: ToolChecker | undefined;
  /** The target of the file that the page showed last. */
  #shown: string | undefined;
  /** The number of the last preview that the page has asked for. */
  #asked = 0;
  readonly #changing = new Claim();

  constructor(services: ConnectPageServices) {
    const { extensionUri, log } = services;
    this.#services = services;
    this.#tab = new WebviewTab({
      extensionUri,
      viewType: 'modelAccess.connectTool',
      title: l10n.t('Connect a Tool'),
      icon: 'plug',
      page: 'connectTool',
      isKept: false,
      log,
      reader: async () => (await import('../../../pages/connectTool/connectMessages.ts')).readConnectMessage,
      load: () => this.#content(),
    });
  }

  async open(): Promise<void> {
    await this.#tab.reveal();
  }

  #content(): TabContent<ConnectPageMessage> {
    const { log, models, toolConnections, localKeys, gateway } = this.#services;
    const follow = () => void this.#postState().catch((error) => log.error('Could not list the tools', error));
    return followed(
      (message) => this.#receive(message),
      models.onDidChange(follow),
      toolConnections.onDidChange(() => {
        this.#dropChecker();
        follow();
      }),
      localKeys.onDidChange(follow),
      gateway.onDidChange(follow),
      { dispose: () => this.#dropChecker() },
    );
  }

  async #receive(message: ConnectPageMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.#findTools();
      case 'preview':
        return this.#preview(message.number, message.form);
      case 'connect':
        return this.#finish(() => this.#connect(message.form));
      case 'disconnect':
        return this.#finish(() => this.#disconnect(message.tool));
      case 'check':
        return this.#check(message.tool);
      case 'copy':
        return copyText(message.text);
      case 'copySnippet':
        return this.#copySnippet(toolWith(message.tool));
      case 'openFile':
        return this.#openFile(toolWith(message.tool));
      case 'openDocumentation':
        await vscode.env.openExternal(vscode.Uri.parse(toolWith(message.tool).documentation));
        return;
      case 'openTerminal':
        return openTerminal(toolWith(message.tool));
      case 'startWithEditor':
        await this.#services.settings.set('gateway.autoStart', true);
        return this.#postState();
      case 'close':
        this.#tab.close();
    }
  }

  /** Programs take time to report their versions, so the page first shows the tools with the versions known so far. */
  async #findTools(): Promise<void> {
    const found = await this.#finder.find();
    this.#found = found.map((tool) => ({ ...this.#found.find((each) => each.tool === tool.tool), ...tool }));
    await this.#postState();
    await this.#checker?.readRequests();
    this.#found = await this.#finder.withVersions(found);
    await this.#postState();
  }

  async #postState(): Promise<void> {
    this.#tab.post({ type: 'state', state: await connectState(this.#services, this.#found) });
  }

  async #preview(number: number, form: ConnectForm): Promise<void> {
    this.#asked = number;
    const preview = await this.#readPreview(form);
    // The page has asked for another preview meanwhile.
    if (number !== this.#asked) return;
    this.#shown = preview.file?.target;
    this.#tab.post({ type: 'preview', number, preview });
    if (this.#checker?.checked.tool.id === form.tool) return;
    this.#dropChecker();
    await (await this.#checkerOf(form.tool))?.readRequests();
  }

  async #readPreview(form: ConnectForm): Promise<ConnectPreview> {
    const { localKeys, toolConnections } = this.#services;
    const tool = toolWith(form.tool);
    const { keys } = await localKeys.read();
    const connection = toolConnections.find(tool.id);
    const earlier = keys.find(({ id }) => id === connection?.key);
    const { problems } = keyOfForm(form, keys, earlier, Date.now());
    const access = { ...this.#accessOf(form), secret: MASKED_KEY };
    const path = connection?.file?.path ?? (await fileOf(tool));
    const { configuration, snippet } = tool;
    const file =
      configuration &&
      path !== undefined &&
      (await previewFile({
        path,
        format: configuration.format,
        changes: configuration.changes(access),
        ...(connection?.file !== undefined && { connected: connection.file }),
      }));
    return {
      problems,
      aliases: file ? neededAliases(tool, access, this.#services) : {},
      ...defined({
        file: file ? { ...file, notes: [...file.notes, ...this.#portNotes] } : undefined,
        snippet: snippet?.(access),
      }),
    };
  }

  get #portNotes(): string[] {
    const { gateway, settings } = this.#services;
    if (gateway.isRunning || settings.gatewayPort !== 0) return [];
    return [l10n.t('The gateway gets its port when it starts, so the address will change.')];
  }

  #accessOf({ model }: ConnectForm): Omit<ToolAccess, 'secret'> {
    const { gateway, settings, models } = this.#services;
    return { address: expectedAddress(gateway, settings), ...modelAccess(models.state.models, model.trim()) };
  }

  async #connect(form: ConnectForm): Promise<ConnectOutcome> {
    const { gateway, upstream, localKeys, toolConnections } = this.#services;
    const tool = toolWith(form.tool);
    const shown = this.#shown;
    const { keys } = await localKeys.read();
    const connection = toolConnections.find(tool.id);
    const earlier = keys.find(({ id }) => id === connection?.key);
    const { name, terms, problems } = keyOfForm(form, keys, earlier, Date.now());
    if (Object.keys(problems).length > 0) return { kind: 'none' };
    if ((await ensureRunning(gateway, upstream)) === undefined) return { kind: 'none' };
    const file = connection?.file?.path ?? (await fileOf(tool));
    if (tool.configuration !== undefined && file !== undefined) await placeShown(file, shown);
    const access = this.#accessOf(form);
    const proposed = file === undefined ? {} : neededAliases(tool, access, this.#services);
    const aliases = form.addsAliases ? proposed : {};
    const asked = defined({ file, shown, asked: earlier });
    await connect({ tool, ...asked, access, name, terms, aliases }, this.#services);
    this.#dropChecker();
    return { kind: 'connected' };
  }

  async #disconnect(id: string): Promise<ConnectOutcome> {
    const connection = this.#services.toolConnections.find(id);
    if (connection === undefined) return { kind: 'none' };
    await disconnect(connection, this.#services);
    this.#dropChecker();
    return { kind: 'disconnected' };
  }

  /** Reports the outcome and the tools' new state. A double click does the work once. */
  async #finish(work: () => Promise<ConnectOutcome>): Promise<void> {
    const outcome = await this.#changing.hold(work).catch((error: unknown): ConnectOutcome => {
      this.#services.log.error('A tool could not be connected or disconnected', error);
      return { kind: 'failed', problem: errorText(error) };
    });
    if (outcome === undefined) return;
    await this.#postState();
    this.#tab.post({ type: 'outcome', outcome });
    await this.#findTools();
  }

  async #check(id: string): Promise<void> {
    await (await this.#checkerOf(id))?.run();
  }

  /** Returns the checker of the tool that the page shows; undefined if the tool is not connected. */
  async #checkerOf(id: string): Promise<ToolChecker | undefined> {
    if (this.#checker?.checked.tool.id === id) return this.#checker;
    const { localKeys, toolConnections } = this.#services;
    const connection = toolConnections.find(id);
    const { keys } = await localKeys.read();
    const key = keys.find((each) => each.id === connection?.key);
    if (connection?.access === undefined || key === undefined) return undefined;
    // A concurrent request may have created it in the meantime.
    if (this.#checker?.checked.tool.id === id) return this.#checker;
    const access = { ...connection.access, secret: key.secret };
    this.#dropChecker();
    this.#checker = new ToolChecker(
      { tool: toolWith(id), access, keyId: key.id, keyName: key.name },
      this.#services,
      (check) => this.#tab.post({ type: 'check', check }),
    );
    return this.#checker;
  }

  #dropChecker(): void {
    this.#checker?.dispose();
    this.#checker = undefined;
  }

  async #copySnippet({ id, snippet }: ClientProgram): Promise<void> {
    const access = (await this.#checkerOf(id))?.checked.access;
    if (access !== undefined && snippet !== undefined) await copyText(snippet(access));
  }

  async #openFile(tool: ClientProgram): Promise<void> {
    const path = this.#services.toolConnections.find(tool.id)?.file?.path ?? (await fileOf(tool));
    if (path !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(path));
  }
}

function toolWith(id: string): ClientProgram {
  const tool = TOOLS.find((each) => each.id === id);
  if (tool === undefined) throw new Error(`There is no tool "${id}".`);
  return tool;
}

/** Types the program's name. The user starts it, in the folder where it is needed. */
function openTerminal({ name, program }: ClientProgram): void {
  const terminal = vscode.window.createTerminal({ name });
  terminal.show();
  if (program !== undefined) terminal.sendText(program, false);
}
