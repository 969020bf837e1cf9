import * as vscode from 'vscode';
import { FORMAT_NAMES } from '../../../formats/conversation.ts';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { FailureAction } from '../../../pages/chat/protocol.ts';
import type { Lazy } from '../../lazy.ts';
import type { ChatSession } from '../chatSession.ts';
import type { ContextActions } from '../context/contextActions.ts';
import type { HistoryActions } from '../history/historyActions.ts';
import { savePreset, setInstructions, setParameters, usePreset } from '../parameters/parameterActions.ts';
import type { PromptActions } from '../prompts/promptActions.ts';
import type { ReadingActions } from '../reading/readingActions.ts';
import type { PanelActions } from './chatView.ts';

const COMMANDS = {
  openSandboxMenu: 'modelAccess.sandboxMenu',
  refreshCatalog: 'modelAccess.refreshModels',
  enterKey: 'modelAccess.setServiceKey',
  trySandbox: 'modelAccess.trySandbox',
  getKey: 'modelAccess.openDashboard',
  openUsage: 'modelAccess.openUsage',
  openPrivacy: 'modelAccess.openPrivacy',
  openFirstSteps: 'modelAccess.openFirstSteps',
} as const;

type PanelMessageOf<Type extends ChatPanelMessage['type']> = Extract<ChatPanelMessage, { readonly type: Type }>;
type ParameterMessage = PanelMessageOf<
  | 'chooseModel'
  | 'chooseFormat'
  | 'setMode'
  | 'setParameters'
  | 'checkParameters'
  | 'setInstructions'
  | 'openInstructions'
  | 'savePreset'
  | 'usePreset'
  | 'removePreset'
>;
type ChatMessage =
  | ParameterMessage
  | PanelMessageOf<
      | 'send'
      | 'stop'
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

/** Performs the actions that the panel requests. */
export class ChatPanelActions implements PanelActions {
  readonly #session: ChatSession;
  readonly #history: Lazy<HistoryActions>;
  readonly #prompts: Lazy<PromptActions>;
  readonly #context: Lazy<ContextActions>;
  readonly #reading: Lazy<ReadingActions>;

  constructor(
    session: ChatSession,
    history: Lazy<HistoryActions>,
    prompts: Lazy<PromptActions>,
    context: Lazy<ContextActions>,
    reading: Lazy<ReadingActions>,
  ) {
    this.#session = session;
    this.#history = history;
    this.#prompts = prompts;
    this.#context = context;
    this.#reading = reading;
  }

  receive(message: Exclude<ChatPanelMessage, { type: 'ready' }>): unknown {
    switch (message.type) {
      case 'openSandboxMenu':
      case 'refreshCatalog':
      case 'enterKey':
      case 'trySandbox':
      case 'getKey':
      case 'openUsage':
      case 'openPrivacy':
      case 'openFirstSteps':
        return vscode.commands.executeCommand(COMMANDS[message.type]);
      case 'listPrompts':
      case 'usePrompt':
      case 'newPrompt':
      case 'starter':
        return this.#prompts.get().then((prompts) => prompts.receive(message));
      case 'listContext':
      case 'pickContext':
      case 'attach':
      case 'attachAddresses':
      case 'attachContent':
      case 'trim':
      case 'detachImages':
      case 'loadPicture':
        return this.#context.get().then((context) => context.receive(message));
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
        return this.#reading.get().then((reading) => reading.receive(message));
      case 'history':
      case 'closeHistory':
      case 'openConversation':
      case 'renameConversation':
      case 'pinConversation':
      case 'deleteConversation':
      case 'exportConversation':
      case 'importConversations':
        return this.#history.get().then((history) => history.receive(message));
      case 'decide':
      case 'answerForm':
      case 'raiseCap':
      case 'setLimits':
      case 'setSummaryModel':
      case 'editSummary':
      case 'setPlan':
      case 'continueRun':
      case 'allowOnce':
      case 'addMessage':
      case 'cancelCommand':
      case 'showTerminal':
      case 'actOnCommand':
      case 'reviewChanges':
      case 'restoreRun':
      case 'confirmRestore':
      case 'cancelRestore':
        return this.#session.runs.receive(message);
      default:
        return this.#changeChat(message);
    }
  }

  #changeChat(message: ChatMessage): unknown {
    const session = this.#session;
    switch (message.type) {
      case 'send':
        return message.queued ? session.turns.sendNext(message.text) : session.turns.send(message.text, message.models);
      case 'stop':
        return session.stop();
      case 'step':
        return this.#takeStep(message.step, message.turnId);
      case 'askOther':
        return session.turns.askAgain(message.turnId, message.models);
      case 'retryNow':
        return session.answers.retryNow();
      case 'draft':
        return session.composition.setDraft(message.text);
      case 'detach':
        return session.composition.detach(message.attachmentId);
      case 'editing':
        return session.edited.change(message);
      case 'editingDone':
        return session.edited.change(undefined);
      case 'editDetach':
        return session.edited.detach(message.attachmentId);
      case 'editVersion':
        return session.edited.exchange(message.attachmentId);
      case 'editModel':
        return session.edited.chooseModel(message.model);
      case 'newConversation':
        return this.#startNew();
      case 'edit':
        return session.turns.edit(message.turnId, message.text);
      case 'showBranch':
        return session.turns.showBranch(message.turnId, message.position);
      case 'removeTurn':
        return session.turns.remove(message.turnId);
      case 'fork':
        return session.turns.fork(message.turnId);
      case 'keep':
        return session.turns.keep(message.turnId);
      case 'undo':
        return session.undo.undo(message.noticeId);
      case 'dismissNotice':
        return session.undo.endLasting();
      default:
        return this.#changeParameters(message);
    }
  }

  #changeParameters(message: ParameterMessage): unknown {
    const session = this.#session;
    switch (message.type) {
      case 'chooseModel':
        return session.parameters.chooseModel(message.model);
      case 'setMode':
        return session.chooseMode(message.mode);
      case 'chooseFormat':
        return FORMAT_NAMES.includes(message.format) ? session.parameters.chooseFormat(message.format) : undefined;
      case 'setParameters':
        return setParameters(session, message.change);
      case 'checkParameters':
        return session.checkParameters();
      case 'setInstructions':
        return setInstructions(session, message.isSent);
      case 'openInstructions':
        return session.customizations.ready().then((files) => files.openSent());
      case 'savePreset':
        return savePreset(session);
      case 'usePreset':
        return usePreset(session, message.name);
      case 'removePreset':
        return session.presets.remove(message.name);
    }
  }

  async #startNew(): Promise<void> {
    if (await this.#session.mayLeave()) await this.#session.startNew();
  }

  #takeStep(step: FailureAction, turnId: string): unknown {
    switch (step) {
      case 'retry':
        return this.#session.turns.askAgain(turnId);
      case 'continue':
        return this.#session.turns.continueAnswer(turnId);
      case 'newConversation':
        return this.#startNew();
      default:
        return vscode.commands.executeCommand(STEP_COMMANDS[step]);
    }
  }
}

const STEP_COMMANDS: Readonly<Record<Exclude<FailureAction, 'retry' | 'continue' | 'newConversation'>, string>> = {
  setKey: 'modelAccess.setServiceKey',
  addCredit: 'modelAccess.openDashboard',
  askAdministrator: 'modelAccess.copyAdministratorRequest',
  chooseModel: 'modelAccess.chooseModel',
  trySandbox: 'modelAccess.trySandbox',
  openSettings: 'modelAccess.openSettings',
  openLog: 'modelAccess.openLog',
};
