import * as l10n from '@vscode/l10n';
import { AddedTexts } from '../../../agent/addedTexts.ts';
import type { Decisions } from '../../../agent/decisions.ts';
import { claimedText } from '../../../agent/fileClaims.ts';
import type { HelperTask } from '../../../agent/helperTask.ts';
import { Loops } from '../../../agent/loops.ts';
import { WINDOW_CLOSES } from '../../../agent/tools/tool.ts';
import type { Conversation } from '../../../chat/conversation/conversation.ts';
import { LiveConversation, type RecordStore } from '../../../chat/conversation/liveConversation.ts';
import type { RunProperties } from '../../../chat/conversation/record.ts';
import { errorText } from '../../../display/errors.ts';
import { formatMoney } from '../../../display/money.ts';
import type { AnswerTurn, InstructionsWarning } from '../../../pages/chat/protocol.ts';
import type { Answers } from '../../chat/answers/answers.ts';
import { CallRunner } from '../callRunner.ts';
import type { Checkpoint } from '../checkpoints.ts';
import { RunRecords } from '../runRecords.ts';
import type { RunServices } from '../runServices.ts';
import { RunSteps, type RunStepsOptions } from '../runSteps.ts';
import { StepRequests } from '../stepRequests.ts';
import type { RunToolbox } from '../toolbox.ts';
import { BudgetedRequests, BudgetUsedError } from './budgetedRequests.ts';

/** The run of a helper, which is the only one in its conversation. */
const RUN = 'task';

/** What the run has that a helper works for. */
export interface HelperHost {
  readonly run: string;
  readonly chat: LiveConversation;
  readonly services: RunServices;
  readonly decisions: Decisions;
  readonly checkpoint: Checkpoint;
  /** The tools of the run. */
  readonly toolbox: () => RunToolbox;
  /** The instructions that the run began with. */
  readonly instructions: string | undefined;
  readonly instructionsFor: RunStepsOptions['instructionsFor'];
  readonly onDidChange: () => void;
  readonly onDidChangeFiles: () => Promise<void>;
}

/** A helper of a run: it works on one task in a context of its own, until it reports or its budget is used up. */
export class HelperRun {
  readonly task: HelperTask;
  readonly #host: HelperHost;
  readonly #records: RunRecords;
  readonly #answers: Answers;
  readonly #calls: CallRunner;
  readonly #requests: StepRequests;
  readonly #steps: RunSteps;
  readonly #stop = new AbortController();

  constructor(task: HelperTask, host: HelperHost) {
    this.task = task;
    this.#host = host;
    const { chat, services, decisions, checkpoint, onDidChange, onDidChangeFiles } = host;
    const { id, name, role, model } = task;
    const conversation = helperConversation(chat, id, services.store.writer);
    this.#records = new RunRecords(RUN, conversation, services.settings, onDidChange);
    this.#answers = services.answers.beside(onDidChange);
    const toolbox = host.toolbox().forHelper(role);
    const ask: Pick<Decisions, 'ask' | 'answerKnown'> = {
      // A helper has no other questions, and only the run itself may be raised above its cap.
      ask: async (question, signal, known) =>
        question.type === 'approval' ? decisions.ask({ ...question, helper: name }, signal, known) : undefined,
      answerKnown: () => decisions.answerKnown(),
    };
    const loops = new Loops();
    const added = new AddedTexts();
    const budget = new BudgetedRequests({ records: this.#records, services, model, answers: this.#answers });
    this.#calls = new CallRunner({
      chatId: chat.id,
      checkpoint,
      tools: toolbox.tools,
      approvals: services.approvals,
      decisions: ask,
      claim: (uris) => this.#claim(uris),
      countSecrets: (text) => services.countSecrets(text),
      keepImages: (images) => services.keepImages(images),
      onDidChange,
    });
    this.#requests = new StepRequests({
      records: this.#records,
      services: budget.services,
      toolbox,
      instructions: host.instructions,
      decisions: ask,
      onDidChange,
      helper: { id, role: role.name, chat: chat.id, run: host.run },
    });
    budget.requests = this.#requests;
    this.#steps = new RunSteps({
      records: this.#records,
      requests: budget,
      calls: this.#calls,
      instructionsFor: host.instructionsFor,
      countUses: (used) => services.uses.count(used),
      loops,
      added,
      whenWritten: () => services.store.whenWritten(),
      postTurn: onDidChange,
      onDidChangeFiles,
      onDidAdd: onDidChange,
    });
  }

  get conversation(): LiveConversation {
    return this.#records.conversation;
  }

  /** In US dollars. */
  get spent(): number {
    return this.#records.spent ?? 0;
  }

  /** In US dollars. Undefined before it is prepared. */
  get budget(): number | undefined {
    return this.#records.properties.cap;
  }

  get steps(): readonly AnswerTurn[] {
    return this.#records.steps;
  }

  get isDone(): boolean {
    return this.#records.properties.state === 'done';
  }

  get hasEnded(): boolean {
    return this.isDone || this.#records.properties.state === 'stopped';
  }

  /** Why it did not finish, and the fault that none of its steps shows. */
  get failure(): Pick<RunProperties, 'reason' | 'fault'> {
    return this.#records.properties;
  }

  get hasLoop(): boolean {
    const { loop } = this.#records.properties;
    return loop !== undefined && loop !== null;
  }

  /** Text that gave instructions to it, until the user has allowed something after it. */
  get warning(): InstructionsWarning | undefined {
    return this.#calls.warning;
  }

  /** Records the task, unless it was recorded before the window was closed. */
  prepare(budget: number): void {
    const { conversation } = this;
    if (!conversation.value.isNew) return;
    const { name, text, role, model } = this.task;
    const { mode: _, ...parameters } = this.#host.chat.value.parameters;
    conversation.record({ type: 'parameters', parameters: { ...parameters, model, mode: 'agent' } });
    conversation.record({ type: 'question', id: RUN, at: Date.now(), parent: null, text, attachments: [] });
    conversation.record({ type: 'title', title: name });
    this.#records.note({ cap: budget, stepCap: 0, role: role.name });
  }

  /** Works until it reports, or is stopped. Does not reject. */
  async work(stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, this.#stop.signal]);
    const onAbort = () => this.#answers.stop();
    signal.addEventListener('abort', onAbort);
    const at = Date.now();
    this.#records.note({ state: 'running', loop: null });
    const end = await this.#takeSteps(signal);
    signal.removeEventListener('abort', onAbort);
    this.#requests.release();
    this.#host.services.claims.release(this.task);
    const activeMs = (this.#records.properties.activeMs ?? 0) + Date.now() - at;
    // One whose window closes goes on in the next one.
    const isOver = end.state === 'done' || stop.reason !== WINDOW_CLOSES;
    this.#records.note({ activeMs, ...(isOver && end) });
  }

  async #takeSteps(signal: AbortSignal): Promise<RunProperties> {
    try {
      const end = await this.#steps.take(this.#records.rest(), signal);
      if (end.state === 'done' || end.loop !== undefined) return end;
      return { ...end, reason: signal.aborted ? 'user' : 'failure' };
    } catch (error) {
      if (error instanceof BudgetUsedError) return { state: 'stopped', reason: 'budget', ...this.#tooSmallFor(error) };
      this.#host.services.onError(error);
      return { state: 'stopped', reason: 'failure', fault: errorText(error) };
    }
  }

  /** What is wrong with a budget that does not even pay the first step. */
  #tooSmallFor({ price }: BudgetUsedError): Pick<RunProperties, 'fault'> {
    if (this.steps.length > 0) return {};
    const amounts = [formatMoney(this.budget ?? 0), formatMoney(price)];
    return { fault: l10n.t('The budget of {0} is less than the first step can cost: {1}.', ...amounts) };
  }

  stop(): void {
    this.#stop.abort();
    // One that waits for its turn does not begin.
    if (this.#records.properties.state === undefined) this.#records.note({ state: 'stopped', reason: 'user' });
  }

  /** Records that it does not begin, because nothing is left of the run's cap. */
  refuse(): void {
    const fault = l10n.t('The run’s cap leaves less than the budget of {0}.', formatMoney(this.budget ?? 0));
    this.#records.note({ state: 'stopped', reason: 'budget', fault });
  }

  /** Ends a call that runs. */
  cancel(callId: string): void {
    this.#calls.cancel(callId);
  }

  #claim(uris: readonly string[]): string | undefined {
    const { id, name } = this.task;
    const other = this.#host.services.claims.claim(uris, { id, name, run: this.#host.run });
    return other && claimedText(other);
  }
}

/** The conversation of a helper of the agent, whose records are written to the file of the chat. */
function helperConversation(chat: LiveConversation, id: string, writer: string): LiveConversation {
  const conversation: Conversation = chat.value.helper(id);
  const answers = conversation.all.filter(({ role }) => role === 'assistant');
  const store: RecordStore = {
    writer,
    workspace: undefined,
    append: async (_, records) => chat.write(...records.map((record) => ({ type: 'helper' as const, id, record }))),
    touch: async () => chat.touch(),
    whenWritten: async () => undefined,
    // Only the window that works on a run has helpers.
    readFrom: async () => undefined,
    isAlive: async () => true,
  };
  const own = answers.map((answer) => answer.id);
  return new LiveConversation({ conversation, end: 0, elsewhere: [], own }, store, () => undefined);
}
