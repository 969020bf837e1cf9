import { applyDelta, isRunning } from '../../../rules/answer.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { AnswerTurn, BranchView } from '../protocol.ts';
import { type Entry, isSpoken, type Question } from './entry.ts';
import type {
  AnswerEndRecord,
  AnswerRecord,
  ConversationRecord,
  DeltaRecord,
  EntryRecord,
  QuestionRecord,
} from './record.ts';
import { type SpentMoney, sumOf } from './spentMoney.ts';
import { Tree } from './tree.ts';

/** What the records of a conversation add up to: a tree of questions and answers, of which one path shows. */
export class Conversation {
  readonly id: string;
  /** Absent until the first question. */
  title: string | undefined;
  /** Address of the workspace that it was begun in, where it was in one. */
  workspace: string | undefined;
  isPinned = false;
  /** Only what was decided for this conversation; the rest comes from the settings. */
  parameters: Parameters = {};
  /** Milliseconds since the epoch: the last question or answer. */
  changedAt = 0;
  readonly #tree = new Tree();
  /** Comparisons of which an answer was kept. */
  readonly #decided = new Set<string>();
  /** What goes on with answers of windows that were gone, by the ids of those. */
  readonly #successors = new Map<string, string>();
  readonly #unfinished = new Set<string>();
  #path: readonly Entry[] | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** Takes in one more record. Records of entries that are not there change nothing. */
  apply(record: ConversationRecord): void {
    this.#path = undefined;
    switch (record.type) {
      case 'conversation':
        this.title = record.title;
        this.workspace = record.workspace;
        break;
      case 'title':
        this.title = record.title;
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
      default:
        this.#applyToEntry(record);
    }
  }

  /** Questions and answers of the path that shows, from the first on, without answers that still stand side by side. */
  get entries(): readonly Entry[] {
    this.#path ??= this.#shownPath();
    return this.#path;
  }

  /** All questions and answers of all branches. */
  get all(): readonly Entry[] {
    return this.#tree.entries.filter(({ id }) => this.#tree.isVisible(id));
  }

  /** The answers side by side at the end of the path, of which one is still to be kept; empty when there are none. */
  get comparison(): readonly AnswerTurn[] {
    const id = this.#openComparison;
    return id === undefined ? [] : this.#members(id);
  }

  get comparisonId(): string | undefined {
    return this.#openComparison;
  }

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

  /** The answer that another window wrote in the place of this one, to go on with it. */
  successorOf(id: string): AnswerTurn | undefined {
    return this.answer(this.#successors.get(id) ?? '');
  }

  /** The entry that this one follows; undefined at the beginning. */
  parentOf(id: string): string | undefined {
    return this.#tree.parentOf(id);
  }

  /** The nearest entry before this one that was not removed. */
  visibleParentOf(id: string): string | undefined {
    let parent = this.parentOf(id);
    while (parent !== undefined && !this.#tree.isVisible(parent)) parent = this.parentOf(parent);
    return parent;
  }

  /** When the question or answer was begun, in milliseconds since the epoch. */
  timeOf(id: string): number {
    return this.#tree.timeOf(id);
  }

  /** What stands in the place of this entry in other branches, with itself, oldest first. */
  siblingsOf(id: string): readonly string[] {
    return this.#tree.siblingsOf(id);
  }

  /** Absent when there is but one branch. */
  branchOf(id: string): BranchView | undefined {
    const siblings = this.siblingsOf(id);
    return siblings.length < 2 ? undefined : { position: siblings.indexOf(id) + 1, count: siblings.length };
  }

  /**
   * An answer without an end belongs to a window that closed or died while it came: it counts as stopped, unless it is
   * one of those that are `alive`.
   */
  stopUnfinished(alive: readonly string[] = []): void {
    const unfinished = this.#tree.entries.filter((entry) => entry.role === 'assistant' && isRunning(entry));
    this.abandon(unfinished.map(({ id }) => id).filter((id) => !alive.includes(id)));
  }

  /** These answers count as stopped, as nobody will write their end. */
  abandon(answerIds: readonly string[]): void {
    for (const id of answerIds) {
      this.#changeAnswer(id, (answer) => ({ ...answer, status: 'stopped' }));
      this.#unfinished.add(id);
    }
    this.#path = undefined;
  }

  /** The answers that were abandoned, without those whose end was written since. */
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

  /** Of the last answer on the path, unless it was kept, or is the only one left. */
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

/** The conversation that these records add up to, with answers without an end as stopped, but for those `alive`. */
export function conversationOf(
  id: string,
  records: Iterable<ConversationRecord>,
  alive: readonly string[] = [],
): Conversation {
  const conversation = new Conversation(id);
  for (const record of records) conversation.apply(record);
  conversation.stopUnfinished(alive);
  return conversation;
}

/** What all answers cost together, also those of other branches. */
export function costOf(conversation: Conversation): SpentMoney {
  return sumOf(
    conversation.all.flatMap((entry) =>
      entry.role === 'assistant' && entry.figures?.cost !== undefined
        ? [{ cost: entry.figures.cost, ...(entry.sandbox && { isSample: true as const }) }]
        : [],
    ),
  );
}

/** How many questions and answers with text there are on the path that shows. */
export function messageCountOf({ entries }: Conversation): number {
  return entries.filter(isSpoken).length;
}

function toQuestion({ id, text, attachments }: QuestionRecord): Question {
  return { role: 'user', id, text, attachments };
}

function startedAnswer({ id, model, format, sandbox }: AnswerRecord): AnswerTurn {
  return { role: 'assistant', id, model, format, sandbox, reasoning: '', text: '', status: 'waiting' };
}
