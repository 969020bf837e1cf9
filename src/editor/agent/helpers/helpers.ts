import * as l10n from '@vscode/l10n';
import { cutMiddle } from '../../../agent/cutText.ts';
import type { Decisions } from '../../../agent/decisions.ts';
import type { AskedHelper } from '../../../agent/helperTask.ts';
import { LimitCheck } from '../../../agent/limits.ts';
import { RunBudget } from '../../../agent/runBudget.ts';
import {
  CallInterruptedError,
  ToolError,
  type ToolOutcome,
  type ToolProgress,
  WINDOW_CLOSES,
} from '../../../agent/tools/tool.ts';
import { helperId } from '../../../chat/conversation/conversation.ts';
import { formatMoney } from '../../../display/money.ts';
import { DelayedCall } from '../../../rules/delayedCall.ts';
import type { RunRecords } from '../runRecords.ts';
import { type HelperHost, HelperRun } from './helperRun.ts';

/** The panel gets what helpers do at most ten times a second. */
const POSTED_EVERY_MS = 100;

/** The least that a helper gets, and what it gets if the run has no cap, in US dollars. */
const MIN_BUDGET = 0.01;
const BUDGET_WITHOUT_CAP = 0.5;
/** The most of a report that the model gets, in characters. */
const MAX_REPORT = 16_000;

export interface HelpersOptions extends Omit<HelperHost, 'onDidChange'> {
  readonly records: RunRecords;
  /** The most that work at the same time. */
  readonly most: () => number;
  /** Shows a changed step. */
  readonly postTurn: (stepId: string) => void;
  readonly onDidChange: () => void;
  readonly decisions: Decisions;
}

/** The helpers of a run: started by its calls, at most so many at a time, each with a budget that the run cannot spend. */
export class Helpers {
  readonly #options: HelpersOptions;
  readonly #budget: RunBudget;
  readonly #running = new Map<string, HelperRun>();

  constructor(options: HelpersOptions) {
    this.#options = options;
    const { records } = options;
    this.#budget = new RunBudget(
      () => records.limits.cap,
      () => records.spent ?? 0,
    );
  }

  /** Does the tasks of a call, and returns what the helpers say at their ends. Goes on with those that had begun. */
  async run(asked: readonly AskedHelper[], { place, signal }: ToolProgress): Promise<ToolOutcome> {
    const posting = new DelayedCall(() => this.#options.postTurn(place.step), POSTED_EVERY_MS);
    const host: HelperHost = {
      ...this.#options,
      onDidChange: () => {
        posting.soon();
        this.#options.onDidChange();
      },
    };
    const helpers = asked.map(({ budget: _, ...task }, number) => {
      const id = helperId(place.step, place.call, number);
      return new HelperRun({ ...task, id }, host);
    });
    const budgets = await this.#budgetsOf(asked, helpers, signal);
    for (const [number, helper] of helpers.entries()) {
      helper.prepare(budgets[number] ?? 0);
      this.#running.set(helper.task.id, helper);
    }
    try {
      await this.#work(helpers, signal);
    } finally {
      for (const { task } of helpers) this.#running.delete(task.id);
      posting.dispose();
      this.#options.postTurn(place.step);
    }
    if (signal.reason === WINDOW_CLOSES) throw new CallInterruptedError();
    return helpersOutcome(helpers);
  }

  stop(id: string): void {
    this.#running.get(id)?.stop();
  }

  /** Ends a call of a helper. */
  cancelCall(callId: string): void {
    for (const helper of this.#running.values()) helper.cancel(callId);
  }

  /** What each helper gets. Asks before the run would exceed its cap with all of them. */
  async #budgetsOf(
    asked: readonly AskedHelper[],
    helpers: readonly HelperRun[],
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    const { left } = this.#budget;
    const share = Number.isFinite(left) ? left / 2 / asked.length : BUDGET_WITHOUT_CAP;
    const budgets = helpers.map(({ budget }, number) => budget ?? asked[number]?.budget ?? Math.max(MIN_BUDGET, share));
    const unspent = budgets.map((budget, number) =>
      helpers[number]?.hasEnded ? 0 : budget - (helpers[number]?.spent ?? 0),
    );
    const next = unspent.reduce((sum, one) => sum + one, 0);
    const { records, decisions } = this.#options;
    const progress = { step: 0, spent: records.spent ?? 0, next, openItems: records.openItems };
    const limits = { ...records.limits, stepCap: 0, maxSteps: 0 };
    const raised = await new LimitCheck(decisions).check(progress, limits, signal);
    if (raised === undefined) throw new ToolError('The user did not allow this much. Do it yourself, or with less.');
    if (Object.keys(raised).length > 0) records.note(raised);
    return budgets;
  }

  /** Starts the next one whenever one has ended. */
  async #work(helpers: readonly HelperRun[], signal: AbortSignal): Promise<void> {
    const waiting = helpers.filter(({ hasEnded }) => !hasEnded);
    const most = Math.max(1, this.#options.most());
    const places = Array.from({ length: Math.min(most, waiting.length) }, async () => {
      for (let helper = waiting.shift(); helper !== undefined; helper = waiting.shift()) {
        await this.#workOn(helper, signal);
      }
    });
    await Promise.all(places);
  }

  async #workOn(helper: HelperRun, signal: AbortSignal): Promise<void> {
    if (signal.aborted || helper.hasEnded) return;
    const { spent } = helper;
    const rest = Math.max(0, (helper.budget ?? 0) - spent);
    const reservation = this.#budget.reserve(rest, () => helper.spent - spent);
    if (reservation === undefined) return helper.refuse();
    try {
      await helper.work(signal);
    } finally {
      reservation.release();
    }
  }
}

/** What helpers say at their ends, for the run that has started them. */
function helpersOutcome(helpers: readonly HelperRun[]): ToolOutcome {
  const failed = helpers.filter(({ isDone }) => !isDone).length;
  const ended =
    failed === 0 ? l10n.t('{0} of {0} done', helpers.length) : l10n.t('{0} of {1} failed', failed, helpers.length);
  // The figures of the step are those of the request that has started the helpers.
  const spent = helpers.reduce((sum, helper) => sum + helper.spent, 0);
  const note = `${ended} · ${formatMoney(spent)}`;
  const warning = helpers.map((helper) => helper.warning).find((one) => one !== undefined);
  return {
    text: helpers.map(reportOf).join('\n\n'),
    isError: failed === helpers.length,
    source: { name: helpers.map(({ task }) => task.name).join(', '), isFile: false },
    warning,
    action: { note, state: failed === helpers.length ? 'failed' : 'done' },
  };
}

function reportOf(helper: HelperRun): string {
  const { task, spent, steps } = helper;
  const head = `## ${task.name} (${task.role.name}, ${task.model}, ${steps.length} steps, ${formatMoney(spent)})`;
  const said = steps.findLast(({ text }) => text !== '')?.text ?? '';
  const report = cutMiddle(said, 'Ask a helper for a shorter report.', MAX_REPORT);
  if (helper.isDone) return `${head}\n${report === '' ? '(It has said nothing.)' : report}`;
  const last = report === '' ? 'It has said nothing before.' : `It has said before:\n${report}`;
  return `${head}\nIt did not finish: ${whyNot(helper)} ${last}`;
}

function whyNot({ failure: { reason, fault }, hasLoop, steps }: HelperRun): string {
  if (fault !== undefined) return fault;
  if (hasLoop) return 'it repeated itself.';
  if (reason === 'user') return 'the user stopped it. Do not start it again without being asked.';
  if (reason === 'budget') return 'its budget is used up.';
  const failed = steps.at(-1)?.failure;
  return failed === undefined ? 'it was stopped.' : `${failed.title}. ${failed.detail}`;
}
