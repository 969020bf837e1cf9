import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { setLanguage } from './display/language.ts';
import { startCommands } from './editor/allCommands.ts';
import { BalanceSection } from './editor/balance/balanceSection.ts';
import { ChatNotices } from './editor/chat/chatNotices.ts';
import type { ChatSession } from './editor/chat/chatSession.ts';
import { OtherWindows } from './editor/chat/otherWindows.ts';
import { ChatTabs } from './editor/chat/panel/chatTabs.ts';
import { ChatView, showOnce } from './editor/chat/panel/chatView.ts';
import { ChatPanelActions } from './editor/chat/panel/panelActions.ts';
import { CodeActionProvider } from './editor/codeCommands/codeActionProvider.ts';
import { Contexts } from './editor/contexts.ts';
import { startContributions } from './editor/contribution.ts';
import { FirstSteps } from './editor/firstSteps/firstSteps.ts';
import { ExchangeFollower } from './editor/gateway/exchangeFollower.ts';
import { GatewaySection } from './editor/gatewayView/gatewaySection.ts';
import { GatewayView } from './editor/gatewayView/gatewayView.ts';
import { Lazy } from './editor/lazy.ts';
import { LinkHandler } from './editor/links/linkHandler.ts';
import type { Log } from './editor/log/log.ts';
import { ModelsView } from './editor/modelsView/modelsView.ts';
import { ModelTools } from './editor/modelTools/modelTools.ts';
import { NativeChatProvider } from './editor/nativeChat/nativeChatProvider.ts';
import { createServices, type Services } from './editor/services.ts';
import { SessionView } from './editor/sessions/sessionView.ts';
import type { TerminalEnvironment } from './editor/terminals/terminalEnvironment.ts';
import { SelectionStatusBar } from './editor/tokens/selectionStatusBar.ts';
import { StaleToolWarning } from './editor/tools/staleToolWarning.ts';
import { TrafficView } from './editor/traffic/trafficView.ts';
import { UsageView } from './editor/usage/usageView.ts';
import { ensurePrivateFolder } from './files/privateFiles.ts';

let running: Pick<Services, 'worker' | 'chats' | 'store'> | undefined;

/**
 * Creates the services, registers what the manifest declares, and connects without delaying the editor's start.
 * @returns the services, for tests only.
 */
export function activate(context: vscode.ExtensionContext): Services | undefined {
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  if (vscode.l10n.bundle !== undefined) setLanguage(vscode.env.language);
  const services = createServices(context);
  const { session, chats, settings, connection, gateway, balance, selection, log } = services;
  running = services;
  const readingOf = ({ panel }: ChatSession) =>
    new Lazy(async () => {
      const { ReadingActions } = await import('./editor/chat/reading/readingActions.ts');
      return new ReadingActions(context.extensionUri, services, panel.post);
    });
  const reading = readingOf(session);
  context.subscriptions.push(reading);
  const actions = new ChatPanelActions(session, services, reading);
  const view = new ChatView(session, actions, { extensionUri: context.extensionUri, chats, log });
  const tabs = new ChatTabs({
    ...services,
    extensionUri: context.extensionUri,
    actionsFor: (shown) => {
      const parts = services.actionsOf(shown);
      const read = readingOf(shown);
      const inTab = new ChatPanelActions(shown, { ...services, ...parts }, read);
      const end = vscode.Disposable.from(read, parts.history);
      return { receive: (message, chat) => inTab.receive(message, chat), dispose: () => end.dispose() };
    },
  });
  const traffic = new TrafficView(context.extensionUri, services);
  const usage = new UsageView(context.extensionUri, services);
  const sessions = new SessionView(context.extensionUri, services);
  const terminals = terminalsOf(context, services);
  const ready = restore(services);
  void keepStoragePrivate(context.globalStorageUri, log);
  const contributions = [
    { name: l10n.t('context keys'), start: () => new Contexts(connection, gateway, balance) },
    { name: l10n.t('chat panel'), start: () => view },
    { name: l10n.t('chats in tabs'), start: () => tabs },
    {
      name: l10n.t('chats in other windows'),
      start: () => new OtherWindows(services.store, chats, services.history, log),
    },
    { name: l10n.t('notices of chats'), start: () => new ChatNotices(chats) },
    { name: l10n.t('traffic'), start: () => traffic },
    { name: l10n.t('usage'), start: () => usage },
    { name: l10n.t('session'), start: () => sessions },
    {
      name: l10n.t('commands'),
      start: () => startCommands(context, services, { view, tabs, usage, traffic, sessions, terminals }),
    },
    { name: l10n.t('status bar'), start: () => startStatusBar(services) },
    { name: l10n.t('tokens in the selection'), start: () => new SelectionStatusBar(selection, settings) },
    {
      name: l10n.t('models for the editor’s chat'),
      start: () => new NativeChatProvider({ ...services, memory: context.globalState }),
    },
    { name: l10n.t('tools for the editor’s chat'), start: () => new ModelTools(services) },
    { name: l10n.t('code actions'), start: () => new CodeActionProvider(connection) },
    { name: l10n.t('inline suggestions'), start: () => startWhenOn(services) },
    { name: l10n.t('links'), start: () => vscode.window.registerUriHandler(new LinkHandler(services, view, ready)) },
    { name: l10n.t('Get Started'), start: () => new FirstSteps(context.globalState, services) },
    { name: l10n.t('models view'), start: () => new ModelsView(services, context.languageModelAccessInformation) },
    { name: l10n.t('gateway view'), start: () => new GatewayView(services) },
    { name: l10n.t('warning about tools with an earlier address'), start: () => new StaleToolWarning(services) },
    { name: l10n.t('terminals'), start: () => startTerminals(terminals, services) },
    {
      name: l10n.t('gateway requests'),
      start: () => new ExchangeFollower(services.worker, balance, log),
    },
  ];
  context.subscriptions.push(startContributions(contributions, log));
  void showOnce(context.globalState);
  void startGateway(services, ready);
  return context.extensionMode === vscode.ExtensionMode.Test ? services : undefined;
}

/**
 * Ends this window's answers, so that their chats and the ledger record the same final figures. Then gives the streams
 * of other tools a moment to end, and hands the gateway over to another window.
 */
export async function deactivate(): Promise<void> {
  if (running === undefined) return;
  const { worker, chats, store } = running;
  await worker.shutDown(async () => {
    await chats.close();
    await store.whenWritten();
  });
}

/** What sets variables in terminals. */
function terminalsOf(
  { environmentVariableCollection, workspaceState }: vscode.ExtensionContext,
  services: Services,
): Lazy<TerminalEnvironment> {
  return new Lazy(async () => {
    const { TerminalEnvironment } = await import('./editor/terminals/terminalEnvironment.ts');
    return new TerminalEnvironment(environmentVariableCollection, workspaceState, services);
  });
}

/** Loads what sets variables in terminals as soon as there are some. */
function startTerminals(terminals: Lazy<TerminalEnvironment>, services: Services): vscode.Disposable {
  const { settings, toolConnections, log } = services;
  const load = () => {
    if (!settings.terminalsUseGateway && toolConnections.all.length === 0) return;
    terminals.get().catch((error) => log.error('Variables of terminals failed', error));
  };
  load();
  const switches = [settings.onDidChange(['terminals.useGateway'], load), toolConnections.onDidChange(load)];
  return vscode.Disposable.from(terminals, ...switches);
}

/** Inline suggestions add their section when they are first on. */
function startStatusBar({ statusBar, balance, settings, limits, calls, gateway, keyBudgets }: Services) {
  const sections = [new BalanceSection(balance, settings, limits, calls), new GatewaySection(gateway, keyBudgets)];
  return vscode.Disposable.from(...sections.flatMap((section) => [statusBar.add(section), section]));
}

/** Loads inline suggestions as soon as they are switched on. */
function startWhenOn({ suggestions, settings, log }: Services): vscode.Disposable {
  const load = () => {
    if (settings.suggestsInline) suggestions.get().catch((error) => log.error('Inline suggestions failed', error));
  };
  load();
  return settings.onDidChange(['inlineSuggestions.enabled'], load);
}

/** The editor creates the folder readable for all users of the machine. */
async function keepStoragePrivate(globalStorage: vscode.Uri, log: Log): Promise<void> {
  try {
    await ensurePrivateFolder(globalStorage.fsPath);
  } catch (error) {
    log.error('The folder with chats and records could not be closed to other users of this machine', error);
  }
}

/** Connects, and restores this window's chat. */
async function restore({ connection, session }: Services): Promise<void> {
  await Promise.all([connection.refresh(), session.restore()]);
}

async function startGateway({ gateway, settings, log }: Services, ready: Promise<void>): Promise<void> {
  try {
    await ready;
    if (settings.gatewayAutoStart) await gateway.startOnceConnected();
    else await gateway.joinRunning();
  } catch (error) {
    log.error('Not everything could be started', error);
  }
}
