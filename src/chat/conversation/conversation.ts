import type { AnswerTurn, BranchView } from '../../pages/chat/protocol.ts';
import { applyDelta, isRunning, withCall } from '../../rules/answer.ts';
import { type Entry, startedAnswer, toQuestion } from './entry.ts';
import type { Parameters } from './parameters.ts';
import type {
  AnswerEndRecord,
  AnswerRecord,
  ConversationRecord,
  DeltaRecord,
  EntryRecord,
  QuestionRecord,
  RunProperties,
  TitleWriter,
} from './record.ts';
import { Tree } from './tree.ts';

/** The result of a conversation's records: a tree of questions and answers, of which one path is shown. */
export class Conversation {
  readonly id: string;
  /** Undefined until the first question. */
  title: string | undefined;
  /** Whether somebody has chosen the title: the user, a model, or the conversation that this one was forked from. */
  isNamed = false;
  /** The model that wrote the current title. */
  titleWriter: TitleWriter | undefined;
  /** What titles have cost, in US dollars. */
  titleCost: number | undefined;
  /** The URI of the workspace in which it was started, if there was one. */
  workspace: string | undefined;
  isPinned = false;
  /** Whether it began as a copy of another conversation. */
  isFork = false;
  /** Only the parameters set for this conversation. The others come from the settings. */
  parameters: Parameters = {};
  /** The time of the last question or answer, in milliseconds since the epoch. */
  changedAt = 0;
  readonly #tree = new Tree();
  /** Comparisons of which an answer was kept. */
  readonly #decided = new Set<string>();
  /** Answers that continue those of closed windows, by the IDs of the latter. */
  readonly #successors = new Map<string, string>();
  readonly #unfinished = new Set<string>();
  readonly #runs = new Map<string, RunProperties>();
  /** The conversations of the agent's helpers. */
  readonly #helpers = new Map<string, Conversation>();
  #path: readonly Entry[] | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** Applies one record. Records about missing entries change nothing. */
  apply(record: ConversationRecord): void {
    this.#path = undefined;
    switch (record.type) {
      case 'conversation':
        this.title = record.title;
        this.isNamed = record.from !== undefined;
        this.workspace = record.workspace;
        this.isFork = record.from !== undefined;
        break;
      case 'title':
        this.title = record.title;
        this.isNamed = true;
        this.titleWriter = record.writer;
        if (record.writer?.cost !== undefined) this.titleCost = (this.titleCost ?? 0) + record.writer.cost;
        break;
      case 'pinned':
        this.isPinned = record.pinned;
        break;
      case 'parameters':
        this.parameters = record.parameters;
        break;
      case 'question':
        this.#add(record, toQuestion(record));
        break;
      case 'answer':
        this.#add(record, startedAnswer(record), record.comparison);
        if (record.continues !== undefined) this.#successors.set(record.continues, record.id);
        break;
      case 'delta':
        this.#append(record);
        break;
      case 'answerEnd':
        this.#end(record);
        break;
      case 'toolCall':
        this.#changeAnswer(record.id, (answer) => ({
          ...answer,
          toolCalls: withCall(answer.toolCalls ?? [], record.call),
        }));
        break;
      case 'edited':
        this.#changeAnswer(record.id, (answer) => ({ ...answer, text: record.text, isEdited: true }));
        break;
      case 'run': {
        const { type: _, id, ...properties } = record;
        this.#runs.set(id, { ...this.#runs.get(id), ...properties });
        break;
      }
      case 'helper':
        this.helper(record.id).apply(record.record);
        break;
      default:
        this.#applyToEntry(record);
    }
  }

  /**
   * The questions and answers of the path shown, from the first on, without answers that are still compared side by
   * side.
   */
  get entries(): readonly Entry[] {
    this.#path ??= this.#shownPath();
    return this.#path;
  }

  /** All questions and answers of all branches. */
  get all(): readonly Entry[] {
    return this.#tree.entries.filter(({ id }) => this.#tree.isVisible(id));
  }

  /** Like {@link all}, with those that were removed since. */
  get withRemoved(): readonly Entry[] {
    return this.#tree.entries;
  }

  /** The answers side by side at the end of the path until one of them is kept; otherwise empty. */
  get comparison(): readonly AnswerTurn[] {
    const id = this.#openComparison;
    return id === undefined ? [] : this.#members(id);
  }

  get comparisonId(): string | undefined {
    return this.#openComparison;
  }

  /** Whether it has never had a question. It has no file then. */
  get isNew(): boolean {
    return this.title === undefined;
  }

  /** Whether nothing is left in it, or nothing was ever there. */
  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  entry(id: string): Entry | undefined {
    return this.#tree.entry(id);
  }

  answer(id: string): AnswerTurn | undefined {
    const entry = this.entry(id);
    return entry?.role === 'assistant' ? entry : undefined;
  }

  isVisible(id: string): boolean {
    return this.#tree.isVisible(id);
  }

  /** The answer with which another window replaced this one, to continue it. */
  successorOf(id: string): AnswerTurn | undefined {
    return this.answer(this.#successors.get(id) ?? '');
  }

  /** The properties of the agent's run that answers this question; undefined if none did. */
  runOf(questionId: string): RunProperties | undefined {
    return this.#runs.get(questionId);
  }

  /** The conversation of a helper, which is a new one if the helper has not begun. */
  helper(id: string): Conversation {
    const helper = this.#helpers.get(id) ?? new Conversation(id);
    this.#helpers.set(id, helper);
    return helper;
  }

  /** The helpers that a call of a step has started, in order; of all its calls without one. */
  helpersOf(stepId: string, callId?: string): readonly Conversation[] {
    if (this.#helpers.size === 0) return [];
    const start = helperId(stepId, callId);
    return [...this.#helpers.values()].filter(({ id }) => id.startsWith(start));
  }

  /** The ID of the previous entry; undefined for the first one. */
  parentOf(id: string): string | undefined {
    return this.#tree.parentOf(id);
  }

  /** The ID of each entry's nearest previous entry that was not removed; undefined at the beginning. */
  get visibleParents(): ReadonlyMap<string, string | undefined> {
    return this.#tree.visibleParents;
  }

  /** The time when the question or answer was started, in milliseconds since the epoch. */
  timeOf(id: string): number {
    return this.#tree.timeOf(id);
  }

  /** The IDs of the alternatives to this entry in other branches, including itself, the oldest first. */
  siblingsOf(id: string): readonly string[] {
    return this.#tree.siblingsOf(id);
  }

  /** Undefined if there is only one branch. */
  branchOf(id: string): BranchView | undefined {
    const siblings = this.siblingsOf(id);
    return siblings.length < 2 ? undefined : { position: siblings.indexOf(id) + 1, count: siblings.length };
  }

  /**
   * An answer without an end belongs to a window that closed or crashed during it. It counts as stopped unless it is in
   * `running`.
   */
  stopUnfinished(running: readonly string[]): void {
    const known = new Set(running);
    const unfinished = this.#tree.entries.filter((entry) => entry.role === 'assistant' && isRunning(entry));
    this.abandon(unfinished.map(({ id }) => id).filter((id) => !known.has(id)));
    for (const helper of this.#helpers.values()) helper.stopUnfinished(running);
  }

  /** Marks these answers as stopped, because no window will write their end. */
  abandon(answerIds: readonly string[]): void {
    for (const id of answerIds) {
      this.#changeAnswer(id, (answer) => ({ ...answer, status: 'stopped' }));
      this.#unfinished.add(id);
    }
    this.#path = undefined;
  }

  /** The abandoned answers whose end was not written since. */
  get unfinished(): readonly string[] {
    return [...this.#unfinished];
  }

  #add(record: QuestionRecord | AnswerRecord, entry: Entry, comparison?: string): void {
    const parent = record.parent === undefined ? this.#tree.tail : (record.parent ?? undefined);
    if (this.#tree.add(entry, { parent, at: record.at, ...(comparison !== undefined && { comparison }) })) {
      this.changedAt = Math.max(this.changedAt, record.at);
    }
  }

  #append({ id, figures, ...delta }: DeltaRecord): void {
    this.#changeAnswer(id, (answer) => ({ ...applyDelta(answer, delta), ...(figures !== undefined && { figures }) }));
  }

  #end({ type: _, id, ...end }: AnswerEndRecord): void {
    this.#unfinished.delete(id);
    this.#changeAnswer(id, (answer) => ({ ...answer, ...end }));
  }

  #applyToEntry({ type, id }: EntryRecord): void {
    if (type === 'removed' || type === 'restored') this.#tree.setRemoved(id, type === 'removed');
    else if (type === 'continued')
      this.#changeAnswer(id, ({ failure: _, ...rest }) => ({ ...rest, status: 'waiting' }));
    else this.#tree.choose(id);
    if (type === 'kept') this.#decided.add(this.#tree.comparisonOf(id) ?? '');
  }

  #changeAnswer(id: string, change: (answer: AnswerTurn) => AnswerTurn): void {
    this.#tree.change(id, (entry) => (entry.role === 'assistant' ? change(entry) : entry));
  }

  #shownPath(): readonly Entry[] {
    const path = this.#tree.path;
    return this.#openComparison === undefined ? path : path.slice(0, -1);
  }

  /** The comparison of the last answer on the path, unless one was kept or only one is left. */
  get #openComparison(): string | undefined {
    const last = this.#tree.path.at(-1);
    const id = last && this.#tree.comparisonOf(last.id);
    if (id === undefined || this.#decided.has(id)) return undefined;
    return this.#members(id).length < 2 ? undefined : id;
  }

  #members(comparison: string): readonly AnswerTurn[] {
    return this.all.filter(
      (entry): entry is AnswerTurn => entry.role === 'assistant' && this.#tree.comparisonOf(entry.id) === comparison,
    );
  }
}

/** Builds a conversation from its records. Answers without an end count as stopped, except those in `running`. */
export function conversationOf(
  id: string,
  records: Iterable<ConversationRecord>,
  running: readonly string[] = [],
): Conversation {
  const conversation = new Conversation(id);
  for (const record of records) conversation.apply(record);
  conversation.stopUnfinished(running);
  return conversation;
}

/** The ID of a helper that a call has started, or what those of all helpers of a call or a step begin with. */
export function helperId(stepId: string, callId?: string, number?: number): string {
  return [stepId, callId, number].map((part) => (part === undefined ? '' : `${part} `)).join('');
}
