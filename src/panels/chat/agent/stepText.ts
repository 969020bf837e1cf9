/** The text of an action's row. */

import * as l10n from '@vscode/l10n';
import { spokenMoney } from '../../../display/money.ts';
import { formatTokensExact } from '../../../display/tokens.ts';
import type { ActionKind, AnswerTurn, RunAction, ShownCall } from '../../../pages/chat/protocol.ts';
import { isRunning } from '../../../rules/answer.ts';
import { lineCountsText } from '../../shared/lineCountsText.ts';

interface KindText {
  readonly icon: string;
  readonly doing: () => string;
  readonly done: () => string;
}

const KINDS: Readonly<Record<ActionKind, KindText>> = {
  read: { icon: 'eye', doing: () => l10n.t('Reading'), done: () => l10n.t('Read') },
  list: { icon: 'folder', doing: () => l10n.t('Listing'), done: () => l10n.t('Listed') },
  search: { icon: 'search', doing: () => l10n.t('Searching'), done: () => l10n.t('Searched') },
  problems: { icon: 'warning', doing: () => l10n.t('Checking problems'), done: () => l10n.t('Checked problems') },
  changes: { icon: 'git-commit', doing: () => l10n.t('Reading Git changes'), done: () => l10n.t('Read Git changes') },
  edit: { icon: 'edit', doing: () => l10n.t('Editing'), done: () => l10n.t('Edited') },
  create: { icon: 'new-file', doing: () => l10n.t('Creating'), done: () => l10n.t('Created') },
  rename: { icon: 'edit', doing: () => l10n.t('Renaming'), done: () => l10n.t('Renamed') },
  delete: { icon: 'trash', doing: () => l10n.t('Deleting'), done: () => l10n.t('Deleted') },
  command: { icon: 'terminal', doing: () => l10n.t('Running'), done: () => l10n.t('Ran') },
  output: { icon: 'terminal', doing: () => l10n.t('Checking'), done: () => l10n.t('Checked') },
  fetch: { icon: 'globe', doing: () => l10n.t('Fetching'), done: () => l10n.t('Fetched') },
  plan: { icon: 'list-ordered', doing: () => l10n.t('Updating the plan'), done: () => l10n.t('Updated the plan') },
  ask: { icon: 'question', doing: () => l10n.t('Asking'), done: () => l10n.t('Asked') },
  skill: { icon: 'lightbulb', doing: () => l10n.t('Using the skill'), done: () => l10n.t('Used the skill') },
  load: { icon: 'tools', doing: () => l10n.t('Loading tools'), done: () => l10n.t('Loaded tools') },
  helpers: { icon: 'organization', doing: () => l10n.t('Helpers at work'), done: () => l10n.t('Helpers') },
  tool: { icon: 'tools', doing: () => l10n.t('Calling'), done: () => l10n.t('Called') },
};

/** A row of a step. Several calls that only read share one row. */
export interface StepRow {
  readonly id: string;
  readonly calls: readonly ShownCall[];
  readonly action: RunAction;
}

/** Combines consecutive files that were read. */
export function stepRows(turn: AnswerTurn): readonly StepRow[] {
  const { toolCalls = [] } = turn;
  const rows: { id: string; calls: ShownCall[]; action: RunAction }[] = [];
  for (const call of toolCalls) {
    const action = call.action ?? arriving(call, isRunning(turn));
    const last = rows.at(-1);
    if (last !== undefined && isPlainRead(last.action) && isPlainRead(action)) {
      last.calls.push(call);
      last.action = combined(last.action, action);
    } else rows.push({ id: call.id, calls: [call], action });
  }
  // The plan is shown above the steps, so an update of it has no row.
  return rows.filter(({ action }) => action.kind !== 'plan' || action.state === 'failed');
}

/** A call whose arguments still arrive has no action yet. */
function arriving({ name }: ShownCall, isArriving: boolean): RunAction {
  return { kind: 'tool', state: isArriving ? 'running' : 'waiting', object: name };
}

function isPlainRead({ kind, state }: RunAction): boolean {
  return kind === 'read' && state === 'done';
}

function combined({ note: first, ...action }: RunAction, { object, note: second }: RunAction): RunAction {
  const note = sumOfNotes(first, second);
  return { ...action, object: `${action.object}, ${object}`, ...(note !== undefined && { note }) };
}

const COUNTED = /^([\d.,\s]*\d)(\D*)$/;

/** Adds notes such as “18 lines” and “26 lines”. The unit of the larger one fits the sum. */
function sumOfNotes(a: string | undefined, b: string | undefined): string | undefined {
  const [first, second] = [COUNTED.exec(a ?? ''), COUNTED.exec(b ?? '')];
  if (first === null || second === null) return undefined;
  const [one, two] = [countIn(first), countIn(second)];
  const unit = one > two ? first[2] : second[2];
  return `${formatTokensExact(one + two)}${unit}`;
}

function countIn(match: RegExpExecArray): number {
  return Number((match[1] ?? '').replace(/\D/g, ''));
}

export function iconOf({ kind, state }: RunAction): string {
  return state === 'denied' ? 'circle-slash' : KINDS[kind].icon;
}

/** Returns the verb before the object; none for what was not done. Helpers have rows instead of an object. */
export function verbOf({ kind, state, object }: RunAction): string {
  const isNotDone = state === 'denied' || state === 'interrupted' || (state === 'waiting' && object !== '');
  if (isNotDone) return kind === 'helpers' ? KINDS.helpers.done() : '';
  const isOver = state === 'done' || state === 'failed';
  return isOver ? KINDS[kind].done() : KINDS[kind].doing();
}

export function deniedText({ denied }: RunAction): string {
  return denied?.by === 'rule' ? l10n.t('Denied by rule') : l10n.t('Denied by you');
}

export function exitText(exitCode: number): string {
  return l10n.t('exit {0}', exitCode);
}

/** Returns the result of an action as it is announced. */
function spokenResult(action: RunAction): string | undefined {
  if (action.state === 'denied') return deniedText(action);
  if (action.state === 'interrupted') return l10n.t('Interrupted');
  if (action.exitCode !== undefined) return exitText(action.exitCode);
  if (action.added !== undefined || action.removed !== undefined) {
    return lineCountsText(action.added ?? 0, action.removed ?? 0);
  }
  return action.note ?? (action.state === 'failed' ? l10n.t('Failed') : undefined);
}

/** The announcement of a finished step, such as “Step 12, npm test, exit 0, 4 cents”. */
export function spokenStep(number: number, turn: AnswerTurn): string {
  const rows = stepRows(turn).flatMap(({ action }) => [action.object || verbOf(action), spokenResult(action)]);
  const cost = turn.figures?.cost;
  const parts = [l10n.t('Step {0}', number), ...rows, cost === undefined ? undefined : spokenMoney(cost)];
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}
