import type * as vscode from 'vscode';
import type { LimitMonitor } from '../limits/limitMonitor.ts';
import type { ChatParts } from './chatParts.ts';
import type { Estimator } from './estimator.ts';
import { RequestEstimate, type RequestEstimateServices, type RequestParts } from './requestEstimate.ts';

export interface ChatEstimatesServices extends Omit<RequestEstimateServices, 'estimator'> {
  readonly limits: LimitMonitor;
  readonly newEstimator: () => Estimator;
}

export type NextQuestion = 'draft' | 'edit';

/** What the next question of a chat costs: the one being written, and the one being edited. */
export class ChatEstimates implements vscode.Disposable {
  /** Shows the estimate of the draft, and learns from the chat's answers. */
  readonly draft: Estimator;
  readonly edit: Estimator;
  readonly #chat: ChatParts;
  readonly #services: ChatEstimatesServices;
  readonly #requests: Readonly<Record<NextQuestion, RequestEstimate>>;

  constructor(chat: ChatParts, services: ChatEstimatesServices) {
    const { conversation, composition, edited, parameters, images, runs } = chat;
    this.#chat = chat;
    this.#services = services;
    this.draft = services.newEstimator();
    this.edit = services.newEstimator();
    const common = { parameters, images, runs, isShown: () => chat.display.isShown };
    const draftParts = () => ({
      entries: conversation.value.entries,
      ...composition.estimated,
      draft: chat.queue.nextText,
    });
    this.#requests = {
      draft: new RequestEstimate(
        { ...services, estimator: this.draft },
        { ...common, parts: draftParts, model: () => parameters.model },
      ),
      edit: new RequestEstimate(
        { ...services, estimator: this.edit },
        { ...common, parts: () => edited.parts, model: () => edited.model },
      ),
    };
  }

  /** Called when the contents of the request, the prices, or the balance have changed. */
  update(next: NextQuestion = 'draft'): void {
    this.#requests[next].update();
  }

  /** Nobody sees the estimates any more, so nothing more is counted. */
  cancel(): void {
    this.draft.cancel();
    this.edit.cancel();
  }

  /**
   * Asks before the user's limits or the cap of the chat are exceeded, and reserves the cost of the question to these
   * models, or to the chat's model if there are none.
   * @param sent the parts of the request that are not those of the question being written.
   * @returns what ends the reservation; undefined if neither the limits nor the user allow the question.
   */
  async reserve(
    next: NextQuestion,
    models: readonly string[],
    sent: Partial<RequestParts>,
  ): Promise<(() => void) | undefined> {
    const cost = this.#requests[next].costOn(models, sent);
    const release = await this.#services.limits.reserve(cost, this.#chat.titleInBackground);
    if (release === undefined || (await this.#capAllows(cost))) return release;
    release();
    return undefined;
  }

  dispose(): void {
    this.draft.dispose();
    this.edit.dispose();
  }

  async #capAllows(cost: number | undefined): Promise<boolean> {
    const cap = this.#services.settings.chatCap;
    if (cap === 0) return true;
    const { capAllows } = await import('../limits/capQuestion.ts');
    const { id, spent } = this.#chat.conversation;
    return capAllows({ id, title: this.#chat.titleInBackground, spent: spent.cost ?? 0, cost, cap });
  }
}
