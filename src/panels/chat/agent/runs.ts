/** Which turns are steps of a run, and what a run has cost so far. */
import type { AnswerTurn, ChatState, ChatTurn } from '../../../pages/chat/protocol.ts';
import { isRunning } from '../../../rules/answer.ts';

/** Number of steps at the end of a run that are always shown. */
const SHOWN_STEPS = 6;

/** Steps of a run that follow each other without a text of their own turn between them. */
export interface StepGroup {
  readonly kind: 'steps';
  readonly run: string;
  readonly steps: readonly AnswerTurn[];
  /** Whether the run begins with it. */
  readonly begins: boolean;
  /** The number of the first step among the requests of its run, counted from 1. */
  readonly first: number;
  /** How many steps at the beginning of the group are folded. */
  readonly folded: number;
}

/** A group to which steps are added. */
interface GrowingGroup extends StepGroup {
  readonly steps: AnswerTurn[];
  folded: number;
}

/** What the earlier steps of a run were summed up in. */
export interface SummaryItem {
  readonly kind: 'summary';
  readonly turn: AnswerTurn;
  /** Whether it is sent with the next step. A later summary replaces it. */
  readonly isSent: boolean;
}

export type ThreadItem =
  | { readonly kind: 'turn'; readonly turn: ChatTurn; readonly index: number }
  | StepGroup
  | SummaryItem;

/** Whether messages go to the next step of a run instead of starting a new question. */
export function isActing(state: Pick<ChatState, 'run'> | undefined): boolean {
  return state?.run?.state === 'running' || state?.run?.state === 'waiting';
}

/** Whether a message is a hint that continues a run, which has stopped because it repeated itself. */
export function isLooping(state: Pick<ChatState, 'run'> | undefined): boolean {
  return state?.run?.state === 'stopped' && state.run.loop !== undefined;
}

/** Whether a turn has called a tool in a run. Other turns of a run are its report, or the text before a call. */
export function isStep(turn: ChatTurn): turn is AnswerTurn & { readonly run: string } {
  return turn.role === 'assistant' && turn.run !== undefined && (turn.toolCalls?.length ?? 0) > 0;
}

export function hasRuns({ run, turns }: Pick<ChatState, 'run' | 'turns'>): boolean {
  return run !== undefined || turns.some((turn) => isStep(turn) || isSummary(turn));
}

function isSummary(turn: ChatTurn): turn is AnswerTurn & { readonly run: string } {
  return turn.role === 'assistant' && turn.isSummary === true;
}

/** Groups the steps of runs. All other turns stay as they are. */
export function threadItems(turns: readonly ChatTurn[]): readonly ThreadItem[] {
  const counter = new StepCounter(turns);
  const lastSummary = turns.findLast(isSummary)?.id;
  const items: (Exclude<ThreadItem, StepGroup> | GrowingGroup)[] = [];
  for (const [index, turn] of turns.entries()) {
    counter.pass(turn);
    if (isSummary(turn)) {
      items.push({ kind: 'summary', turn, isSent: turn.id === lastSummary });
      continue;
    }
    if (!isStep(turn)) {
      items.push({ kind: 'turn', turn, index });
      continue;
    }
    const { run } = turn;
    const folded = counter.isFolded(run) ? 1 : 0;
    const last = items.at(-1);
    if (last?.kind === 'steps' && last.run === run) {
      last.steps.push(turn);
      last.folded += folded;
    } else items.push({ kind: 'steps', run, steps: [turn], folded, ...counter.placeIn(run) });
  }
  return items;
}

interface RunCount {
  /** The steps of the whole run, and the steps and requests so far. */
  readonly total: number;
  readonly steps: number;
  readonly requests: number;
}

const NOTHING: RunCount = { total: 0, steps: 0, requests: 0 };

/** Counts the steps of runs, turn by turn. */
class StepCounter {
  readonly #counts = new Map<string, RunCount>();

  constructor(turns: readonly ChatTurn[]) {
    for (const turn of turns) if (isStep(turn)) this.#add(turn.run, { total: 1 });
  }

  pass(turn: ChatTurn): void {
    if (turn.role !== 'assistant' || turn.run === undefined) return;
    this.#add(turn.run, { requests: 1, steps: isStep(turn) ? 1 : 0 });
  }

  /** Whether the last step of a run so far is before those that are always shown. */
  isFolded(run: string): boolean {
    const { total, steps } = this.#of(run);
    return total - steps >= SHOWN_STEPS;
  }

  placeIn(run: string): Pick<StepGroup, 'begins' | 'first'> {
    const { steps, requests } = this.#of(run);
    return { begins: steps === 1, first: requests };
  }

  #of(run: string): RunCount {
    return this.#counts.get(run) ?? NOTHING;
  }

  #add(run: string, { total = 0, steps = 0, requests = 0 }: Partial<RunCount>): void {
    const count = this.#of(run);
    this.#counts.set(run, {
      total: count.total + total,
      steps: count.steps + steps,
      requests: count.requests + requests,
    });
  }
}

/** Returns the number of a request in its run, counted from 1. */
export function stepNumber(turns: readonly ChatTurn[], { id, run }: AnswerTurn): number {
  const ofRun = turns.filter((turn) => turn.role === 'assistant' && turn.run === run);
  return ofRun.findIndex((turn) => turn.id === id) + 1;
}

/** What a run has used. A figure is undefined if it is not known of any request. */
export interface RunSum {
  readonly steps: number;
  readonly inputTokens?: number;
  readonly cachedTokens?: number;
  readonly outputTokens?: number;
  readonly cost?: number;
  readonly copiedCost?: number;
}

/** What is shown at the end of a run. */
export interface RunEnd {
  readonly sum: RunSum;
  readonly checks: RunChecks;
}

/** @param replaced what the run has paid for answers that are not among these turns. */
export function runSum(turns: readonly ChatTurn[], run: string, replaced = 0): RunSum {
  const sum = sumOf(turns.filter((turn): turn is AnswerTurn => turn.role === 'assistant' && turn.run === run));
  return replaced === 0 ? sum : { ...sum, cost: (sum.cost ?? 0) + replaced };
}

/** A step and those of its helpers. */
function withHelpers(step: AnswerTurn): readonly AnswerTurn[] {
  return [step, ...(step.toolCalls ?? []).flatMap(({ helpers = [] }) => helpers.flatMap((helper) => helper.steps))];
}

export function sumOf(steps: readonly AnswerTurn[]): RunSum {
  const sum = (figure: 'inputTokens' | 'cachedTokens' | 'outputTokens' | 'cost' | 'copiedCost') => {
    const known = steps.flatMap(withHelpers).flatMap(({ figures }) => figures?.[figure] ?? []);
    return known.length === 0 ? {} : { [figure]: known.reduce((total, one) => total + one, 0) };
  };
  return {
    steps: steps.length,
    ...sum('inputTokens'),
    ...sum('cachedTokens'),
    ...sum('outputTokens'),
    ...sum('cost'),
    ...sum('copiedCost'),
  };
}

/** How the last commands of a run ended: each command once, the latest ones last. */
export type RunChecks = readonly { readonly command: string; readonly exitCode: number }[];

/** The most commands that are named. */
const MAX_CHECKS = 2;

export function runChecks(turns: readonly ChatTurn[], run: string): RunChecks {
  const steps = turns.filter((turn) => isStep(turn) && turn.run === run);
  const actions = steps
    .flatMap((turn) => (isStep(turn) ? (turn.toolCalls ?? []) : []))
    .flatMap(({ action }) => action ?? []);
  const commands = new Map<string, number>();
  for (const { kind, object, exitCode } of actions) {
    if (kind !== 'command' || exitCode === undefined) continue;
    commands.delete(object);
    commands.set(object, exitCode);
  }
  return [...commands].map(([command, exitCode]) => ({ command, exitCode })).slice(-MAX_CHECKS);
}

/** Whether all actions of a step are decided and finished, so that its result can be announced. */
export function isFinished(turn: AnswerTurn): boolean {
  if (isRunning(turn) || !isStep(turn)) return false;
  return turn.toolCalls?.every(({ action }) => isDone(action?.state)) === true;
}

function isDone(state: string | undefined): boolean {
  return state === 'done' || state === 'failed' || state === 'denied' || state === 'interrupted';
}
