import * as vscode from 'vscode';
import { FORMAT_NAMES } from '../../../formats/conversation.ts';
import type { Lazy } from '../../lazy.ts';
import type { ChatSession } from '../chatSession.ts';
import type { ContextActions } from '../context/contextActions.ts';
import type { HistoryActions } from '../history/historyActions.ts';
import { savePreset, setParameters, usePreset } from '../parameters/parameterActions.ts';
import type { PromptActions } from '../prompts/promptActions.ts';
import type { NextStep, PanelMessage } from '../protocol.ts';
import type { ReadingActions } from '../reading/readingActions.ts';
import type { PanelActions } from './chatView.ts';

/** Does what a click in the panel asks for. */
export class ChatPanelActions implements PanelActions {
  readonly #session: ChatSession;
  readonly #history: HistoryActions;
  readonly #prompts: Lazy<PromptActions>;
  readonly #context: Lazy<ContextActions>;
  readonly #reading: ReadingActions;

  constructor(
    session: ChatSession,
    history: HistoryActions,
    prompts: Lazy<PromptActions>,
    context: Lazy<ContextActions>,
    reading: ReadingActions,
  ) {
    this.#session = session;
    this.#history = history;
    this.#prompts = prompts;
    this.#context = context;
    this.#reading = reading;
  }

  receive(message: Exclude<PanelMessage, { type: 'ready' }>): unknown {
    const session = this.#session;
    switch (message.type) {
      case 'send':
        return session.turns.send(message.text, message.models);
      case 'stop':
        return session.answers.stop();
      case 'step':
        return this.#takeStep(message.step, message.turnId);
      case 'retryNow':
        return session.answers.retryNow();
      case 'draft':
        return session.composition.setDraft(message.text);
      case 'editing':
        return session.edited.change(message);
      case 'editingDone':
        return session.edited.change(undefined);
      case 'newConversation':
        return session.startNew();
      case 'chooseModel':
        return session.parameters.chooseModel(message.model);
      case 'chooseFormat':
        return FORMAT_NAMES.includes(message.format) ? session.parameters.chooseFormat(message.format) : undefined;
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
      case 'setParameters':
        return setParameters(session, message.change);
      case 'checkParameters':
        return session.checkParameters();
      case 'savePreset':
        return savePreset(session);
      case 'usePreset':
        return usePreset(session, message.name);
      case 'removePreset':
        return session.presets.remove(message.name);
      case 'refreshCatalog':
        return vscode.commands.executeCommand('modelAccess.refreshModels');
      case 'detach':
        return session.composition.detach(message.attachmentId);
      case 'enterKey':
        return vscode.commands.executeCommand('modelAccess.setServiceKey');
      case 'trySandbox':
        return vscode.commands.executeCommand('modelAccess.trySandbox');
      case 'getKey':
        return vscode.commands.executeCommand('modelAccess.openDashboard');
      case 'openUsage':
        return vscode.commands.executeCommand('modelAccess.openUsage');
      case 'openPrivacy':
        return vscode.commands.executeCommand('modelAccess.openPrivacy');
      case 'listPrompts':
      case 'usePrompt':
      case 'newPrompt':
        return this.#prompts.get().then((prompts) => prompts.receive(message));
      case 'listContext':
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
      case 'newFile':
      case 'openLink':
      case 'findFiles':
      case 'openFile':
      case 'loadDiagrams':
        return this.#reading.receive(message);
      default:
        return this.#history.receive(message);
    }
  }

  #takeStep(step: NextStep, turnId: string): unknown {
    switch (step) {
      case 'retry':
        return this.#session.turns.askAgain(turnId);
      case 'continue':
        return this.#session.turns.continueAnswer(turnId);
      case 'newConversation':
        return this.#session.startNew();
      default:
        return vscode.commands.executeCommand(STEP_COMMANDS[step]);
    }
  }
}

const STEP_COMMANDS: Readonly<Record<Exclude<NextStep, 'retry' | 'continue' | 'newConversation'>, string>> = {
  setKey: 'modelAccess.setServiceKey',
  addCredit: 'modelAccess.openDashboard',
  chooseModel: 'modelAccess.chooseModel',
  trySandbox: 'modelAccess.trySandbox',
  openSettings: 'modelAccess.openSettings',
  openLog: 'modelAccess.openLog',
};
