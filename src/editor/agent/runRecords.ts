import * as l10n from '@vscode/l10n';
import type { RunLimits } from '../../agent/limits.ts';
import { replacedSteps, spentOn, stepsOf, withoutBroken } from '../../agent/runHistory.ts';
import { type Entry, isSpoken } from '../../chat/conversation/entry.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { RunProperties } from '../../chat/conversation/record.ts';
import type { AnswerTurn, ReplacedSteps, ToolCallView } from '../../pages/chat/protocol.ts';
import type { Settings } from '../settings/settings.ts';

/** The conversation's records of one run, from which it continues after a crash. */
export class RunRecords {
  readonly id: string;
  readonly conversation: LiveConversation;
  readonly #settings: Settings;
  readonly #onDidChange: () => void;

  constructor(id: string, conversation: LiveConversation, settings: Settings, onDidChange: () => void) {
    this.id = id;
    this.conversation = conversation;
    this.#settings = settings;
    this.#onDidChange = onDidChange;
  }

  get properties(): RunProperties {
    return this.conversation.value.runOf(this.id) ?? {};
  }

  /** The steps on the path shown, in order. */
  get steps(): readonly AnswerTurn[] {
    return stepsOf(this.conversation.value.entries, this.id);
  }

  /** In US dollars, also for steps of other versions and replaced ones. Undefined if no price is known. */
  get spent(): number | undefined {
    return spentOn(this.conversation.value, this.id);
  }

  get replaced(): ReplacedSteps | undefined {
    return replacedSteps(this.conversation.value, this.id);
  }

  /** The limits of the run, or else those of the settings. */
  get limits(): RunLimits {
    const { agentCap, agentStepCap, agentMaxSteps } = this.#settings;
    const { cap = agentCap, stepCap = agentStepCap, maxSteps = agentMaxSteps } = this.properties;
    return { cap, stepCap, maxSteps };
  }

  /** The summary model of the run, or else that of the settings; empty for the chat's model. */
  get summaryModel(): string {
    return this.properties.summaryModel ?? this.#settings.agentSummaryModel;
  }

  /** The number of items of the plan that are not done. */
  get openItems(): number {
    return (this.properties.plan ?? []).filter(({ state }) => state !== 'done').length;
  }

  /** Whether the last step called no tools. */
  get isAnswered(): boolean {
    const last = this.steps.at(-1);
    return last?.status === 'complete' && (last.toolCalls ?? []).length === 0;
  }

  /** What the run goes on with. Removes the answers that broke off. */
  rest(): readonly Entry[] {
    const { entries } = this.conversation.value;
    const kept = withoutBroken(entries);
    for (const entry of entries.slice(kept.length)) {
      if (!isSpoken(entry)) this.conversation.record({ type: 'removed', id: entry.id });
    }
    return kept;
  }

  note(properties: RunProperties): void {
    this.conversation.record({ type: 'run', id: this.id, ...properties });
    this.#onDidChange();
  }

  /** Ignores what is not an amount. */
  setLimits(limits: Partial<RunLimits>): void {
    const valid = Object.entries(limits).filter(([, value]) => Number.isFinite(value) && value >= 0);
    this.note(Object.fromEntries(valid));
  }
}

export interface DeniedCall {
  readonly stepId: string;
  readonly call: ToolCallView;
}

/**
 * Finds the call of a run that the user has denied. Some services restart the numbers of calls in each step, so the ID
 * may not tell which one is meant.
 * @throws if several denied calls have the ID: another one than the user sees must not run.
 */
export function deniedCall(steps: readonly AnswerTurn[], callId: string): DeniedCall | undefined {
  const denied = steps.flatMap(({ id: stepId, toolCalls = [] }) =>
    toolCalls
      .filter(({ id, action }) => id === callId && action?.denied?.by === 'user')
      .map((call) => ({ stepId, call })),
  );
  if (denied.length > 1) {
    throw new Error(l10n.t('Several denied calls have the same ID. Send a message that says what the agent may do.'));
  }
  return denied[0];
}
