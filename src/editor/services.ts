import * as vscode from 'vscode';
import { ConversationStore } from '../chat/conversation/conversationStore.ts';
import type { Model } from '../service/modelCatalog.ts';
import { BalanceMonitor } from './balance/balanceMonitor.ts';
import { BalanceRecorder } from './balance/balanceRecorder.ts';
import { LowBalanceNotice } from './balance/lowBalanceNotice.ts';
import { CallRecorder } from './calls/callRecorder.ts';
import { ChatSession } from './chat/chatSession.ts';
import { Chats } from './chat/chats.ts';
import { Customizations } from './chat/customizations/customizations.ts';
import { Estimator } from './chat/estimator.ts';
import { PromptLibrary } from './chat/prompts/promptLibrary.ts';
import { reviewTabOf } from './chat/review/reviewTab.ts';
import { RunCosts } from './chat/runCosts.ts';
import { ConnectionManager } from './connection/connectionManager.ts';
import { RequestSealing } from './connection/requestSealing.ts';
import { SecretValues } from './connection/secretValues.ts';
import { ServiceKeys } from './connection/serviceKeys.ts';
import { JsonDocuments } from './documents/jsonDocuments.ts';
import { EditorModels } from './editorModels/editorModels.ts';
import { WorkspaceFileFinder } from './files/workspaceFile.ts';
import { GatewayController } from './gateway/gatewayController.ts';
import { GatewayPresence } from './gateway/gatewayPresence.ts';
import { GatewayUpstream } from './gateway/gatewayUpstream.ts';
import { LocalKeyStore } from './gateway/localKeyStore.ts';
import { UpstreamKeys } from './gateway/upstreamKeys.ts';
import { Lazy } from './lazy.ts';
import { LimitMonitor } from './limits/limitMonitor.ts';
import { KeyBudgetMonitor } from './localKeys/keyBudgetMonitor.ts';
import { KeySpending } from './localKeys/keySpending.ts';
import { Log } from './log/log.ts';
import { ModelList } from './models/modelList.ts';
import { ModelUses } from './models/modelUses.ts';
import { Settings } from './settings/settings.ts';
import { StatusBar } from './statusBar/statusBar.ts';
import { SelectionCounter } from './tokens/selectionCounter.ts';
import { ServiceTokenCounter } from './tokens/serviceTokenCounter.ts';
import { ToolConnections } from './tools/toolConnections.ts';
import { GatewayWorker } from './worker/gatewayWorker.ts';

/**
 * The only place that creates services and passes them to each other. Disposables are added to the context's
 * subscriptions.
 */
export function createServices(context: vscode.ExtensionContext) {
  const base = baseServices(context);
  const chat = chatServices(context, base);
  const gateway = gatewayServices(context, base);
  const { settings, counter, models } = base;
  const { session } = chat;
  const documents = new JsonDocuments();
  const toolConnections = new ToolConnections(context.globalState);
  const suggestions = new Lazy(async () => {
    const { InlineSuggestions } = await import('./inlineSuggestions/inlineSuggestions.ts');
    return new InlineSuggestions({ ...base, ...gateway, memory: context.globalState });
  });
  context.subscriptions.push(documents, toolConnections, suggestions);
  return {
    ...base,
    ...chat,
    ...gateway,
    documents,
    toolConnections,
    suggestions,
    modelUses: new ModelUses(settings, session),
    selection: new SelectionCounter(counter, models, () => session.parameters.model),
  };
}

export type Services = ReturnType<typeof createServices>;
type BaseServices = ReturnType<typeof baseServices>;

/** The connection to the service, and what depends on it: prices, balance, and limits. */
function baseServices({
  secrets,
  globalState,
  extensionUri,
  globalStorageUri,
  subscriptions,
}: vscode.ExtensionContext) {
  const log = new Log();
  const settings = new Settings();
  const keys = new ServiceKeys(secrets, process.env);
  const worker = new GatewayWorker(extensionUri, globalStorageUri, log);
  const secretValues = new SecretValues(settings, log);
  const sealing = new RequestSealing({ settings, secrets, secretValues, log, extensionUri });
  const parts = { keys, settings, worker, log, globalState, sealing };
  const connection = new ConnectionManager(parts);
  const upstreamKeys = new UpstreamKeys(secrets);
  const upstream = new GatewayUpstream({ connection, upstreamKeys, settings });
  const models = new ModelList(connection, globalState, log, (catalog) => routesOf(catalog, settings, upstream));
  subscriptions.push(upstream.onDidChange(() => models.readRoutes()));
  const balance = new BalanceMonitor(connection, globalState, log);
  const ledger = vscode.Uri.joinPath(globalStorageUri, 'ledger.sqlite').fsPath;
  const calls = new CallRecorder(ledger, models, { worker, sealing, settings, readUpstream: () => upstream.read() });
  const limits = new LimitMonitor({ worker, ledger, calls, connection, settings, log });
  const counter = new ServiceTokenCounter(connection, log, (model) => settings.isRoute(model));
  const statusBar = new StatusBar(settings);
  const balanceRecorder = new BalanceRecorder(connection, balance, calls);
  const lowBalance = new LowBalanceNotice(connection, balance, settings, globalState);
  subscriptions.push(calls, limits, balanceRecorder, lowBalance, log, keys, worker, connection, models, balance);
  subscriptions.push(secretValues, statusBar, upstreamKeys, upstream);
  const countSecrets = (text: string) => sealing.countIn(text);
  return {
    countSecrets,
    log,
    settings,
    keys,
    worker,
    secretValues,
    connection,
    upstreamKeys,
    upstream,
    models,
    balance,
    ledger,
    calls,
    limits,
    counter,
    statusBar,
  };
}

/** Returns the routes of the settings as models. Loads nothing without routes. */
async function routesOf(
  catalog: readonly Model[],
  settings: Settings,
  { knownNames: known }: GatewayUpstream,
): Promise<readonly Model[]> {
  if (!settings.hasRoutes) return [];
  const { routeModels } = await import('../settings/routeModels.ts');
  return routeModels(settings.routes, { known, catalog, upstreams: settings.upstreams.upstreams });
}

/** The chat panel's host. Rarely used parts are loaded on first use. */
function chatServices(context: vscode.ExtensionContext, base: BaseServices) {
  const { globalState, workspaceState, globalStorageUri, storageUri, extensionUri, subscriptions } = context;
  const { log, counter } = base;
  const runCosts = new RunCosts(globalState);
  const workspace = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const conversations = vscode.Uri.joinPath(globalStorageUri, 'conversations').fsPath;
  const store = new ConversationStore(conversations, workspace?.toString(), (message) => log.warn(message));
  // Beside the folder of this extension's storage, in the same profile.
  const promptFolder = vscode.Uri.joinPath(globalStorageUri, '..', '..', 'prompts');
  const customizations = new Customizations(workspaceState, promptFolder, base.models, log);
  const runReviewTab = reviewTabOf(extensionUri, 'modelAccess.agentReview', log, (message) =>
    agents.get().then((all) => all.receiveReview(message)),
  );
  const proposalTab = reviewTabOf(extensionUri, 'modelAccess.proposalReview', log, async (message) =>
    (await apply.get()).receiveReview(message),
  );
  const approvals = new Lazy(async () => {
    const { Approvals } = await import('./agent/approvals.ts');
    return new Approvals(workspaceState);
  });
  const agents = new Lazy(async () => {
    const { ChatAgents } = await import('./agent/agents.ts');
    const ownVariables = context.environmentVariableCollection;
    const own = { reviewTab: runReviewTab, memory: workspaceState, ownVariables, approvals: await approvals.get() };
    const openChat = (id: string) => session.open(id);
    return new ChatAgents({ ...base, runCosts, store, customizations, ...own, openChat });
  });
  const chats = new Chats({
    ...base,
    newEstimator: () => new Estimator(counter, globalState, log),
    runCosts,
    store,
    customizations,
    memory: workspaceState,
    loadAgent: async (chat, onDidChange) => (await agents.get()).create(chat, onDidChange),
  });
  const session = new ChatSession({ ...base, chats, customizations, memory: workspaceState });
  const indexPath = vscode.Uri.joinPath(globalStorageUri, 'history.sqlite').fsPath;
  const promptLibrary = new PromptLibrary(globalStorageUri);
  const files = new WorkspaceFileFinder();
  const apply = new Lazy(async () => {
    const { ApplyActions } = await import('./chat/apply/applyActions.ts');
    return new ApplyActions(session, { ...base, finder: files, tab: proposalTab, storage: storageUri });
  });
  const actionsOf = (shown: ChatSession) =>
    chatActionsOf(shown, { chats, store, log, indexPath, promptLibrary, globalState });
  const { history, historyActions, prompts, chatContext } = actionsOf(session);
  const reviewTabs = [runReviewTab, proposalTab];
  subscriptions.push(customizations, session, chats, agents, ...reviewTabs, history, apply);
  return {
    store,
    chats,
    agents,
    session,
    actionsOf,
    history,
    historyActions,
    prompts,
    promptLibrary,
    customizations,
    chatContext,
    apply,
    approvals,
    files,
    reviewTabs,
  };
}

interface ChatActionsServices {
  readonly chats: Chats;
  readonly store: ConversationStore;
  readonly log: Log;
  readonly indexPath: string;
  readonly promptLibrary: PromptLibrary;
  readonly globalState: vscode.Memento;
}

/** What a panel or tab does beside its chats, loaded on first use. */
function chatActionsOf(session: ChatSession, services: ChatActionsServices) {
  const { chats, store, log, indexPath, promptLibrary, globalState } = services;
  const history = new Lazy(async () => {
    const { HistoryPanel } = await import('./chat/history/historyPanel.ts');
    return new HistoryPanel({ session, chats, store, log, indexPath });
  });
  const chatContext = new Lazy(async () => {
    const { ContextActions } = await import('./chat/context/contextActions.ts');
    return new ContextActions(session, globalState);
  });
  const prompts = new Lazy(async () => {
    const { PromptActions } = await import('./chat/prompts/promptActions.ts');
    return new PromptActions(session, promptLibrary, chatContext, store);
  });
  const historyActions = new Lazy(async () => {
    const { HistoryActions } = await import('./chat/history/historyActions.ts');
    return new HistoryActions(session, store, history);
  });
  return { history, historyActions, prompts, chatContext };
}

/** The gateway with its keys and upstreams. */
function gatewayServices(
  { secrets, globalState, globalStorageUri, languageModelAccessInformation, subscriptions }: vscode.ExtensionContext,
  { log, settings, worker, secretValues, ledger, upstream }: BaseServices,
) {
  const localKeys = new LocalKeyStore(secrets, log);
  const presence = new GatewayPresence(globalStorageUri, log);
  const spending = new KeySpending(worker, ledger, log);
  const gateway = new GatewayController({
    worker,
    localKeys,
    ledger,
    upstream,
    presence,
    secretValues,
    settings,
    log,
  });
  const keyBudgets = new KeyBudgetMonitor({ worker, gateway, localKeys, spending, ledger, log }, globalState);
  const editorModels = new EditorModels({ worker, access: languageModelAccessInformation, log });
  subscriptions.push(keyBudgets, editorModels, presence, localKeys, gateway);
  return { localKeys, presence, spending, gateway, keyBudgets };
}
