import * as vscode from 'vscode';
import { BalanceMonitor } from './balance/balanceMonitor.ts';
import { LowBalanceNotice } from './balance/lowBalanceNotice.ts';
import { BalanceRecorder } from './calls/balanceRecorder.ts';
import { CallRecorder } from './calls/callRecorder.ts';
import { ChatSession } from './chat/chatSession.ts';
import { ConversationStore } from './chat/conversation/conversationStore.ts';
import { Estimator } from './chat/estimator.ts';
import { HistoryActions } from './chat/history/historyActions.ts';
import { PromptLibrary } from './chat/prompts/promptLibrary.ts';
import { WorkspaceFileFinder } from './chat/reading/workspaceFile.ts';
import { ConnectionManager } from './connection/connectionManager.ts';
import { JsonDocuments } from './documents/jsonDocuments.ts';
import { EditorModels } from './editorModels/editorModels.ts';
import { GatewayController } from './gateway/gatewayController.ts';
import { GatewayPresence } from './gateway/gatewayPresence.ts';
import { GatewayUpstream } from './gateway/gatewayUpstream.ts';
import { GatewayWorker } from './gateway/gatewayWorker.ts';
import { LocalKeyStore } from './gateway/localKeyStore.ts';
import { UpstreamKeys } from './gateway/upstreamKeys.ts';
import { ServiceKeys } from './keys/serviceKeys.ts';
import { Lazy } from './lazy.ts';
import { LimitMonitor } from './limits/limitMonitor.ts';
import { KeyBudgetMonitor } from './localKeys/keyBudgetMonitor.ts';
import { KeySpending } from './localKeys/keySpending.ts';
import { Log } from './log/log.ts';
import { ModelList } from './models/modelList.ts';
import { ModelUses } from './models/modelUses.ts';
import { Settings } from './settings/settings.ts';
import { SelectionCounter } from './tokens/selectionCounter.ts';
import { TokenCounter } from './tokens/tokenCounter.ts';
import { ToolConnections } from './tools/toolConnections.ts';

export type Services = ReturnType<typeof createServices>;

/** The one place where services are made and handed to each other. All that must be disposed goes into the context. */
export function createServices(context: vscode.ExtensionContext) {
  const { secrets, globalState, workspaceState, extensionUri, globalStorageUri } = context;
  const log = new Log();
  const settings = new Settings();
  const keys = new ServiceKeys(secrets, process.env);
  const worker = new GatewayWorker(extensionUri, log);
  const connection = new ConnectionManager(keys, settings, worker, log);
  const models = new ModelList(connection, globalState, log);
  const balance = new BalanceMonitor(connection, settings, globalState, log);
  const ledger = vscode.Uri.joinPath(globalStorageUri, 'ledger.sqlite').fsPath;
  const calls = new CallRecorder(worker, ledger, models);
  const limits = new LimitMonitor({ worker, ledger, calls, connection, settings, log });
  context.subscriptions.push(calls, limits, new BalanceRecorder(connection, balance, calls));
  context.subscriptions.push(new LowBalanceNotice(connection, balance, settings, globalState));
  const counter = new TokenCounter(connection, log);
  const estimator = new Estimator(counter, globalState, log);
  const editEstimator = new Estimator(counter, globalState, log);
  const workspace = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const conversations = vscode.Uri.joinPath(globalStorageUri, 'conversations').fsPath;
  const store = new ConversationStore(conversations, workspace?.toString());
  const session = new ChatSession({
    calls,
    limits,
    connection,
    models,
    balance,
    estimator,
    editEstimator,
    store,
    settings,
    memory: workspaceState,
    log,
  });
  const indexPath = vscode.Uri.joinPath(globalStorageUri, 'history.sqlite').fsPath;
  const history = new Lazy(async () => {
    const { HistoryPanel } = await import('./chat/history/historyPanel.ts');
    return new HistoryPanel({ session, store, log, indexPath });
  });
  const chatContext = new Lazy(async () => {
    const { ContextActions } = await import('./chat/context/contextActions.ts');
    return new ContextActions(session);
  });
  const promptLibrary = new PromptLibrary(globalStorageUri);
  const files = new WorkspaceFileFinder();
  const apply = new Lazy(async () => {
    const { ApplyActions } = await import('./chat/apply/applyActions.ts');
    return new ApplyActions(session, files);
  });
  const prompts = new Lazy(async () => {
    const { PromptActions } = await import('./chat/prompts/promptActions.ts');
    return new PromptActions(session, promptLibrary, chatContext);
  });
  const selection = new SelectionCounter(counter, models, () => session.parameters.model);
  const localKeys = new LocalKeyStore(secrets, log);
  const upstreamKeys = new UpstreamKeys(secrets);
  const upstream = new GatewayUpstream({ connection, keys, upstreamKeys, settings });
  const presence = new GatewayPresence(globalStorageUri, log);
  const spending = new KeySpending(worker, ledger, log);
  const gateway = new GatewayController({ worker, localKeys, ledger, upstream, presence, settings, log });
  const keyBudgets = new KeyBudgetMonitor({ worker, gateway, localKeys, spending, log }, globalState);
  context.subscriptions.push(keyBudgets);
  context.subscriptions.push(log, keys, worker, connection, models, balance);
  context.subscriptions.push(estimator, editEstimator, session, history, apply);
  const editorModels = new EditorModels({ worker, access: context.languageModelAccessInformation, log });
  const documents = new JsonDocuments();
  const toolConnections = new ToolConnections(globalState);
  context.subscriptions.push(
    documents,
    toolConnections,
    editorModels,
    upstreamKeys,
    upstream,
    presence,
    localKeys,
    gateway,
  );
  return {
    log,
    settings,
    keys,
    worker,
    connection,
    models,
    modelUses: new ModelUses(settings, session.parameters),
    balance,
    limits,
    store,
    session,
    history,
    historyActions: new HistoryActions(session, store, history),
    prompts,
    promptLibrary,
    chatContext,
    apply,
    files,
    selection,
    counter,
    localKeys,
    spending,
    keyBudgets,
    ledger,
    calls,
    upstream,
    upstreamKeys,
    presence,
    gateway,
    toolConnections,
    documents,
  };
}
