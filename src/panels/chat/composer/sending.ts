import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { isLooping } from '../agent/runs.ts';
import { canBeSent, type Obstacle, obstacle } from '../meter/obstacle.ts';
import { openComparison } from '../turns.ts';
import type { AskedModels } from './askedModels.ts';
import type { QueuedMessage, QueueHost } from './queuedMessage.ts';

/** What sending needs from the panel. */
export interface SendingHost extends QueueHost {
  readonly queue: Pick<QueuedMessage, 'add'>;
  readonly models: Pick<AskedModels, 'compared'>;
  readonly running: ReadonlySignal<boolean>;
  readonly acting: ReadonlySignal<boolean>;
  readonly keepFocus: Signal<boolean>;
}

/** Sends the message that is being written: as a question, to a run of the agent, or to the queue. */
export class Sending {
  readonly isPossible: ReadonlySignal<boolean>;
  /** What prevented the last attempt to send the message, as long as it does. */
  readonly refusal: ReadonlySignal<Obstacle | undefined>;
  readonly #panel: SendingHost;
  /** The message with which sending was tried. */
  readonly #tried = signal('');

  constructor(panel: SendingHost) {
    this.#panel = panel;
    this.isPossible = computed(() => {
      const draft = panel.composition.draft.value;
      if (this.#goesToRun) return draft.trim() !== '';
      return !panel.busy.value && canBeSent(panel.state.value, draft);
    });
    this.refusal = computed(() => {
      const state = panel.state.value;
      const isTried = this.#tried.value !== '' && this.#tried.value === panel.composition.draft.value;
      return isTried && state !== undefined ? obstacle(state) : undefined;
    });
  }

  send(): void {
    const { composition, models, queue, running } = this.#panel;
    const text = composition.draft.value;
    if (this.#goesToRun) this.#addToRun(text.trim());
    else if (running.value) queue.add();
    else if (this.isPossible.value) {
      const asked = models.compared.value;
      this.#panel.post({ type: 'send', text, ...(asked.length > 1 && { models: asked }) });
      models.compared.value = [];
      composition.setDraft('');
      this.#panel.scrollToEnd();
    } else {
      this.#tried.value = text;
      this.#askToKeep();
    }
  }

  get #goesToRun(): boolean {
    return this.#panel.acting.value || isLooping(this.#panel.state.value);
  }

  /** Sends the draft with the next step of the run. A run that has stopped because of a loop continues with it. */
  #addToRun(text: string): void {
    if (text === '') return;
    this.#panel.post({ type: 'addMessage', text });
    if (!this.#panel.acting.value) this.#panel.post({ type: 'continueRun' });
    this.#panel.composition.setDraft('');
    this.#panel.announce(l10n.t('Added. It is sent with the next step.'));
    this.#panel.scrollToEnd();
  }

  /** Explains why nothing is sent while answers are side by side, and scrolls to them. */
  #askToKeep(): void {
    if (this.#panel.busy.value || openComparison(this.#panel.state.value).length === 0) return;
    this.#panel.announce(l10n.t('Keep one of the answers first.'));
    this.#panel.keepFocus.value = true;
  }
}
