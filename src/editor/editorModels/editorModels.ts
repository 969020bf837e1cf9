import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EditorAnswer, EditorQuestion, EditorRequest } from '../../gateway/upstreams/editorModels/protocol.ts';
import type { BaseServices } from '../baseServices.ts';
import { nameOf } from './modelChoice.ts';

export interface EditorModelsOptions extends Pick<BaseServices, 'log' | 'worker'> {
  /** Whether this extension may use a model; `undefined` if it is not decided yet. */
  readonly access: vscode.LanguageModelAccessInformation;
}

/** Answers the gateway's questions to models of other extensions. */
export class EditorModels implements vscode.Disposable {
  readonly #options: EditorModelsOptions;
  readonly #running = new Map<number, vscode.CancellationTokenSource>();
  readonly #subscriptions: vscode.Disposable[];
  /** The names of models for which the user was notified of the command. */
  readonly #notified = new Set<string>();

  constructor(options: EditorModelsOptions) {
    this.#options = options;
    const { worker } = options;
    this.#subscriptions = [
      worker.onDidAskEditor((request) => this.#receive(request)),
      worker.onDidExit(() => this.#cancelAll()),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#cancelAll();
  }

  #cancelAll(): void {
    for (const source of this.#running.values()) source.cancel();
  }

  #receive(request: EditorRequest): void {
    if (request.type === 'cancelEditor') this.#running.get(request.questionId)?.cancel();
    else void this.#answer(request.questionId, request.question);
  }

  async #answer(questionId: number, question: EditorQuestion): Promise<void> {
    const source = new vscode.CancellationTokenSource();
    this.#running.set(questionId, source);
    const reply = (answer: EditorAnswer) => {
      if (!source.token.isCancellationRequested)
        this.#options.worker.send({ type: 'editorAnswer', questionId, answer });
    };
    try {
      const { answerQuestion } = await import('./answerQuestion.ts');
      await answerQuestion(question, { mayAsk: (model) => this.#mayAsk(model), reply, token: source.token });
    } catch (error) {
      const name = question.kind === 'models' ? '' : question.request.model;
      if (!source.token.isCancellationRequested) this.#options.log.warn(`The editor's model ${name} failed`, error);
      const { modelError } = await import('./modelError.ts');
      reply({ kind: 'error', error: modelError(error, name) });
    } finally {
      this.#running.delete(questionId);
      source.dispose();
    }
  }

  /** The editor asks for consent only after a user action, which a tool's request is not. */
  #mayAsk(model: vscode.LanguageModelChat): boolean {
    if (this.#options.access.canSendRequest(model) === true) return true;
    void this.#notify(model);
    return false;
  }

  async #notify(model: vscode.LanguageModelChat): Promise<void> {
    const name = nameOf(model);
    if (this.#notified.has(name)) return;
    this.#notified.add(name);
    const allow = l10n.t('Allow…');
    const message = l10n.t(
      'A tool requested “{0}” from the gateway, but Model Access does not have permission to use this model yet.',
      model.name || name,
    );
    if ((await vscode.window.showInformationMessage(message, allow)) !== allow) return;
    await vscode.commands.executeCommand('modelAccess.allowEditorModels');
  }
}
