import * as vscode from 'vscode';
import type { ConversationStore } from '../../../chat/conversation/conversationStore.ts';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { FailureAction } from '../../../pages/chat/protocol.ts';
import type { Lazy } from '../../lazy.ts';
import type { Chat } from '../chat.ts';
import type { ChatSession } from '../chatSession.ts';
import type { Chats } from '../chats.ts';
import type { ContextActions } from '../context/contextActions.ts';
import type { Customizations } from '../customizations/customizations.ts';
import type { HistoryActions } from '../history/historyActions.ts';
import type { ParameterMessage } from '../parameters/parameterActions.ts';
import type { PromptActions } from '../prompts/promptActions.ts';
import type { ReadingActions } from '../reading/readingActions.ts';
import type { PanelActions } from './chatPage.ts';

const COMMANDS = {
  openSandboxMenu: 'modelAccess.sandboxMenu',
  refreshCatalog: 'modelAccess.refreshModels',
  manageRoutes: 'modelAccess.manageRoutes',
  enterKey: 'modelAccess.setServiceKey',
  trySandbox: 'modelAccess.trySandbox',
  getKey: 'modelAccess.openDashboard',
  openUsage: 'modelAccess.openUsage',
  openPrivacy: 'modelAccess.openPrivacy',
  openFirstSteps: 'modelAccess.openFirstSteps',
  configureAgent: 'modelAccess.configureAgent',
} as const;

type PanelMessageOf<Type extends ChatPanelMessage['type']> = Extract<ChatPanelMessage, { readonly type: Type }>;
type ChatMessage =
  | ParameterMessage
  | PanelMessageOf<
      | 'chooseModel'
      | 'chooseFormat'
      | 'setMode'
      | 'send'
      | 'queue'
      | 'sendQueued'
      | 'dropQueued'
      | 'stop'
      | 'stopChat'
      | 'stopAllChats'
      | 'step'
      | 'askOther'
      | 'retryNow'
      | 'draft'
      | 'detach'
      | 'newConversation'
      | 'edit'
      | 'editing'
      | 'editingDone'
      | 'editDetach'
      | 'editVersion'
      | 'editModel'
      | 'showBranch'
      | 'removeTurn'
      | 'fork'
      | 'keep'
      | 'undo'
      | 'dismissNotice'
    >;

export interface ChatPanelServices {
  readonly chats: Chats;
  readonly store: ConversationStore;
  readonly customizations: Customizations;
  readonly historyActions: Lazy<HistoryActions>;
  readonly prompts: Lazy<PromptActions>;
  readonly chatContext: Lazy<ContextActions>;
}

/** Performs the actions that the panel requests. */
export class ChatPanelActions implements PanelActions {
  readonly #session: ChatSession;
  readonly #services: ChatPanelServices;
  readonly #reading: Lazy<ReadingActions>;

  constructor(session: ChatSession, services: ChatPanelServices, reading: Lazy<ReadingActions>) {
    this.#session = session;
    this.#services = services;
    this.#reading = reading;
  }

  /** @param chat the chat that the page showed when the user did something in it. */
  receive(message: Exclude<ChatPanelMessage, { type: 'ready' }>, chat: Chat): unknown {
    switch (message.type) {
      case 'openSandboxMenu':
      case 'refreshCatalog':
      case 'manageRoutes':
      case 'enterKey':
      case 'trySandbox':
      case 'getKey':
      case 'openUsage':
      case 'configureAgent':
      case 'openPrivacy':
      case 'openFirstSteps':
        return vscode.commands.executeCommand(COMMANDS[message.type]);
      case 'listPrompts':
      case 'usePrompt':
      case 'newPrompt':
      case 'newAgent':
      case 'starter':
        return this.#services.prompts.get().then((prompts) => prompts.receive(message));
      case 'listContext':
      case 'pickContext':
      case 'attach':
      case 'attachAddresses':
      case 'attachContent':
      case 'trim':
      case 'detachImages':
      case 'loadPicture':
        return this.#services.chatContext.get().then((context) => context.receive(message));
      case 'copy':
      case 'insertAtCursor':
      case 'replaceSelection':
      case 'applyCode':
      case 'runInTerminal':
      case 'insertInTerminal':
      case 'newFile':
      case 'openLink':
      case 'findFiles':
      case 'openFile':
      case 'loadDiagrams':
        return this.#reading.get().then((reading) => reading.receive(message, chat));
      case 'history':
      case 'closeHistory':
      case 'openConversation':
      case 'renameConversation':
      case 'pinConversation':
      case 'deleteConversation':
      case 'exportConversation':
        return this.#services.historyActions.get().then((history) => history.receive(message));
      case 'decide':
      case 'answerForm':
      case 'raiseCap':
      case 'setLimits':
      case 'handOff':
      case 'setSummaryModel':
      case 'editSummary':
      case 'setPlan':
      case 'continueRun':
      case 'allowOnce':
      case 'addMessage':
      case 'cancelCommand':
      case 'stopHelper':
      case 'showTerminal':
      case 'actOnCommand':
      case 'reviewChanges':
      case 'restoreRun':
      case 'confirmRestore':
      case 'cancelRestore':
        return chat.runs.receive(message);
      default:
        return this.#changeChat(message, chat);
    }
  }

  #changeChat(message: ChatMessage, chat: Chat): unknown {
    switch (message.type) {
      case 'send':
        return chat.turns.send(message.text, message.models);
      case 'queue':
        return chat.queue.add(message.text);
      case 'sendQueued':
        return chat.queue.send();
      case 'dropQueued':
        return chat.queue.drop();
      case 'stop':
        return chat.stop();
      case 'stopChat':
        return this.#services.chats.live(message.conversationId)?.stop();
      case 'stopAllChats':
        return this.#services.chats.stopAll();
      case 'step':
        return this.#takeStep(message.step, message.turnId, chat);
      case 'askOther':
        return chat.turns.askAgain(message.turnId, message.models);
      case 'retryNow':
        return chat.answers.retryNow();
      case 'draft':
        return chat.composition.setDraft(message.text);
      case 'detach':
        return chat.composition.detach(message.attachmentId);
      case 'editing':
        return chat.edited.change(message);
      case 'editingDone':
        return chat.edited.change(undefined);
      case 'editDetach':
        return chat.edited.detach(message.attachmentId);
      case 'editVersion':
        return chat.edited.exchange(message.attachmentId);
      case 'editModel':
        return chat.edited.chooseModel(message.model);
      case 'newConversation':
        return this.#session.startNew();
      case 'chooseModel':
        return chat.parameters.chooseModel(message.model);
      case 'chooseFormat':
        return chat.parameters.chooseFormat(message.format);
      case 'setMode':
        return chat.chooseMode(message.mode, message.agent);
      case 'edit':
        return chat.turns.edit(message.turnId, message.text);
      case 'showBranch':
      case 'removeTurn':
      case 'keep':
        return import('../branchActions.ts').then(({ BranchActions }) => new BranchActions(chat).receive(message));
      case 'fork':
        return this.#fork(chat, message.turnId);
      case 'undo':
        return this.#session.undo.undo(message.noticeId);
      case 'dismissNotice':
        return this.#session.undo.endLasting();
      default:
        return this.#changeParameters(message, chat);
    }
  }

  async #changeParameters(message: ParameterMessage, chat: Chat): Promise<unknown> {
    const { receiveParameters } = await import('../parameters/parameterActions.ts');
    const { presets } = this.#session;
    const { customizations } = this.#services;
    const checkParameters = () => this.#session.checkParameters();
    return receiveParameters(message, chat.parameters, { presets, customizations, checkParameters });
  }

  async #fork(chat: Chat, turnId: string): Promise<void> {
    const { forkChat } = await import('../branchActions.ts');
    const id = await forkChat(chat, turnId, this.#services.store);
    if (id !== undefined) await this.#session.open(id);
  }

  #takeStep(step: FailureAction, turnId: string, chat: Chat): unknown {
    switch (step) {
      case 'retry':
        return chat.turns.askAgain(turnId);
      case 'continue':
        return chat.turns.continueAnswer(turnId);
      case 'newConversation':
        return this.#session.startNew();
      default:
        return vscode.commands.executeCommand(STEP_COMMANDS[step]);
    }
  }
}

const STEP_COMMANDS: Readonly<Record<Exclude<FailureAction, 'retry' | 'continue' | 'newConversation'>, string>> = {
  setKey: 'modelAccess.setServiceKey',
  addCredit: 'modelAccess.openDashboard',
  openDashboard: 'modelAccess.openDashboard',
  askAdministrator: 'modelAccess.copyAdministratorRequest',
  chooseModel: 'modelAccess.chooseModel',
  trySandbox: 'modelAccess.trySandbox',
  openSettings: 'modelAccess.openSettings',
  openLog: 'modelAccess.openLog',
};
