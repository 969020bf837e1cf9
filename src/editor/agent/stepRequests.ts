import type { Decisions } from '../../agent/decisions.ts';
import { LimitCheck } from '../../agent/limits.ts';
import { stepsOf } from '../../agent/runHistory.ts';
import { SUMMARIZE } from '../../agent/systemPrompt.ts';
import { type Entry, isStep, isSummary } from '../../chat/conversation/entry.ts';
import { sentEntries } from '../../chat/conversation/sentEntries.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { defined } from '../../formats/json.ts';
import type { AnswerTurn, NextStepView } from '../../pages/chat/protocol.ts';
import type { AskedStep } from '../chat/answers/answering.ts';
import type { RunRecords } from './runRecords.ts';
import type { RunServices } from './runServices.ts';
import type { Toolbox } from './toolbox.ts';

/** From this share of the context window on, the steps so far are summarized, if there are at least this many. */
const NEARLY_FULL = 0.8;
const MIN_SUMMARIZED_STEPS = 2;

export interface StepRequestsOptions {
  readonly records: RunRecords;
  readonly services: RunServices;
  readonly toolbox: Toolbox;
  /** The instructions that the run began with. */
  readonly instructions: string | undefined;
  readonly decisions: Pick<Decisions, 'ask'>;
  /** Set for a helper, for whose first request nobody has checked the user's limits. */
  readonly helper?: AskedStep['helper'];
  readonly onDidChange: () => void;
}

/** The requests of a run: what is sent, what it will cost, and whether it may be sent. */
export class StepRequests {
  readonly #options: StepRequestsOptions;
  /** The estimate of the last request that was about to be sent. */
  next: NextStepView | undefined;
  /** Ends what the user's limits have reserved for the next request. */
  release: () => void = () => undefined;
  /** The summary that the last step began with; the user may have changed it since. */
  #sentSummary: string | undefined;

  constructor(options: StepRequestsOptions) {
    this.#options = options;
  }

  /**
   * Sends the next step. If the steps so far nearly fill the context window, a model sums them up first.
   * @returns the answer; undefined if nothing was sent, because a limit was reached or the run was stopped.
   */
  async send(entries: readonly Entry[], stop: AbortSignal): Promise<AnswerTurn | undefined> {
    let sent = entries;
    if (this.#isNearlyFull(entries)) {
      if (!(await this.#summarize(entries, stop))) return undefined;
      sent = this.#options.records.conversation.value.entries;
    }
    if (!(await this.#mayAsk(sent, stop))) return undefined;
    const { services, toolbox, instructions } = this.#options;
    this.#sentSummary = summaryIn(this.#current(sent));
    const prepare = (plain: ChatRequest) => services.equip(plain, toolbox);
    const step = { parent: sent.at(-1)?.id, instructions, prepare };
    return this.#request(this.#sent(sent), step, stop);
  }

  /** The entries as they are now: results of tools, and changed summaries. */
  #current(entries: readonly Entry[]): readonly Entry[] {
    const { value } = this.#options.records.conversation;
    return entries.map((entry) => value.entry(entry.id) ?? entry);
  }

  #sent(entries: readonly Entry[]): readonly Entry[] {
    return sentEntries(this.#current(entries));
  }

  #isNearlyFull(entries: readonly Entry[]): boolean {
    const window = this.#options.services.contextWindow();
    if (window === undefined || this.#sent(entries).filter(isStep).length < MIN_SUMMARIZED_STEPS) return false;
    return this.#estimate(entries).inputTokens > window * NEARLY_FULL;
  }

  /** Has a model sum up the steps so far, visibly. From then on, the summary is sent instead of them. */
  async #summarize(entries: readonly Entry[], stop: AbortSignal): Promise<boolean> {
    const model = this.#otherModel(entries);
    if (!(await this.#mayAsk(entries, stop, model))) return false;
    const { services, toolbox, instructions } = this.#options;
    const question: Entry = { role: 'user', id: 'summarize', text: SUMMARIZE, attachments: [] };
    const sent = this.#sent(entries);
    const step: PreparedStep = {
      parent: entries.at(-1)?.id,
      isSummary: true,
      instructions,
      prepare: (plain) => {
        const { reasoning, ...request } = services.equip(plain, toolbox);
        // A model that is to reason wants its own earlier reasoning back, which another model does not have.
        const kept = model === undefined ? defined({ reasoning }) : {};
        return { ...request, ...kept, toolChoice: { type: 'none' } };
      },
    };
    return isSummary(await this.#request([...sent, question], step, stop, model));
  }

  /** The model that was chosen for summaries. Undefined for that of the chat, which also replaces one that is too small. */
  #otherModel(entries: readonly Entry[]): string | undefined {
    const { records, services } = this.#options;
    const { summaryModel } = records;
    if (summaryModel === '') return undefined;
    const { inputTokens } = this.#estimate(entries, summaryModel);
    return services.fitsStep(summaryModel, inputTokens) ? summaryModel : undefined;
  }

  #estimate(entries: readonly Entry[], model?: string): NextStepView {
    const { services, toolbox, instructions, records } = this.#options;
    const steps = stepsOf(entries, records.id);
    const isSameStart = this.#sentSummary === undefined || this.#sentSummary === summaryIn(this.#current(entries));
    const isContinued = model === undefined && isSameStart && steps.at(-1)?.isSummary !== true;
    return services.estimate({ entries: this.#sent(entries), steps, toolbox, instructions, model, isContinued });
  }

  /** Estimates the request, and asks before it exceeds a limit. */
  async #mayAsk(entries: readonly Entry[], stop: AbortSignal, model?: string): Promise<boolean> {
    const { records, services, decisions, onDidChange } = this.#options;
    this.next = this.#estimate(entries, model);
    onDidChange();
    const step = records.steps.length;
    const { spent = 0, openItems } = records;
    const { cost } = this.next;
    const limits = new LimitCheck(decisions);
    const raised = await limits.check({ step, spent, next: cost ?? 0, openItems }, records.limits, stop);
    if (raised === undefined) return false;
    if (Object.keys(raised).length > 0) records.note(raised);
    // The user's limits were already checked for the question.
    if (step === 0 && this.#options.helper === undefined) return true;
    const release = await services.reserve(cost);
    if (release === undefined) return false;
    this.release();
    this.release = release;
    return true;
  }

  /** Sends a request unless the run was stopped, and returns its answer once it has ended. */
  async #request(
    entries: readonly Entry[],
    step: PreparedStep,
    stop: AbortSignal,
    model?: string,
  ): Promise<AnswerTurn | undefined> {
    const { records, services } = this.#options;
    const { id, conversation } = records;
    const ask = await services.answers.ready();
    await conversation.catchUp();
    if (stop.aborted) return undefined;
    const known = new Set(conversation.value.all.map((entry) => entry.id));
    const number = records.steps.length + 1;
    const models = model === undefined ? {} : { models: [model] };
    const release = this.release;
    this.release = () => undefined;
    await ask({
      conversation,
      entries,
      ...models,
      step: { run: id, number, ...step, ...defined({ helper: this.#options.helper }) },
    }).finally(release);
    return stepsOf(conversation.value.all, id).find((answer) => !known.has(answer.id));
  }
}

type PreparedStep = Pick<AskedStep, 'parent' | 'isSummary' | 'instructions' | 'prepare'>;

function summaryIn(entries: readonly Entry[]): string | undefined {
  return entries.findLast(isSummary)?.text;
}
