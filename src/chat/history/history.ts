import * as l10n from '@vscode/l10n';
import { language } from '../../display/language.ts';
import type { HistoryFilter, HistoryGroup, HistoryRow } from '../../pages/chat/protocol.ts';
import { sumOf } from '../../pages/chat/spentMoney.ts';
import type { ConversationStore, FileStamp } from '../conversation/conversationStore.ts';
import { HistoryIndex, type IndexAddition, type IndexedSummary } from './historyIndex.ts';
import { type ConversationSummary, summaryOf, textOf } from './summary.ts';

/** The number of files read before the index is written and the event loop can continue. */
const BATCH = 25;

/** The number of texts searched before the event loop can continue. */
const SEARCH_BATCH = 500;

/** The searchable list of saved conversations. Its index is synchronized with the files on request. */
export class History {
  readonly #store: ConversationStore;
  readonly #path: string;
  readonly #onUnreadable: (id: string, error: unknown) => void;
  #index: HistoryIndex | undefined;
  #summaries: readonly IndexedSummary[] | undefined;
  #syncing: Promise<boolean> = Promise.resolve(false);

  /**
   * @param path The path of the index.
   * @param onUnreadable Called for each file that cannot be read. The others are listed.
   */
  constructor(store: ConversationStore, path: string, onUnreadable: (id: string, error: unknown) => void) {
    this.#store = store;
    this.#path = path;
    this.#onUnreadable = onUnreadable;
  }

  /**
   * Searches the index without reading the files.
   * @param excerpts The number of rows, from the first, that get an excerpt.
   */
  async find(query: string, excerpts: number, filter: HistoryFilter = {}): Promise<HistoryRow[]> {
    const words = query.trim().split(/\s+/).filter(Boolean);
    const { workspace } = this.#store;
    const all = this.#latestFirst().filter(({ summary }) => passes(summary, filter, workspace));
    if (words.length === 0) return all.map(({ summary }) => toRow(summary));
    const inText = await this.#rowsWith(words);
    const found = all.filter(({ row, summary }) => inText.has(row) || hasAll(summary.title, words));
    return found.map(({ row, summary }, index) => {
      const excerpt = index < excerpts && inText.has(row) ? excerptOf(this.#open().text(row), words) : undefined;
      return excerpt === undefined ? toRow(summary) : { ...toRow(summary), excerpt };
    });
  }

  /** The models of all indexed conversations, sorted by name. */
  get models(): readonly string[] {
    return modelsOf(this.#latestFirst().map(({ summary }) => summary));
  }

  /** Indexes the files that have changed. Returns whether any had. */
  sync(onProgress: () => void = () => undefined): Promise<boolean> {
    return this.#enqueue(async () => {
      const there = await this.#store.stamps();
      const ids = new Set(there.map(({ id }) => id));
      const removed = [...this.#open().stamps().keys()].filter((id) => !ids.has(id));
      return this.#sync(there, removed, onProgress);
    });
  }

  /** Like `sync`, for these conversations only. */
  syncOnly(ids: readonly string[]): Promise<boolean> {
    return this.#enqueue(async () => {
      const stamps = await Promise.all(ids.map((id) => this.#store.stamp(id)));
      const there = stamps.filter((stamp) => stamp !== undefined);
      const removed = ids.filter((_, index) => stamps[index] === undefined);
      return this.#sync(there, removed, () => undefined);
    });
  }

  /** Rebuilds the index from the files. */
  async rebuild(): Promise<number> {
    await this.#syncing.catch(() => false);
    this.close();
    HistoryIndex.remove(this.#path);
    await this.sync();
    return this.#latestFirst().length;
  }

  /** Closes the index. It is opened again when needed. */
  close(): void {
    this.#index?.close();
    this.#index = undefined;
    this.#summaries = undefined;
  }

  #open(): HistoryIndex {
    this.#index ??= HistoryIndex.open(this.#path);
    return this.#index;
  }

  #latestFirst(): readonly IndexedSummary[] {
    this.#summaries ??= this.#open()
      .summaries()
      .sort((a, b) => b.summary.changedAt - a.summary.changedAt);
    return this.#summaries;
  }

  async #rowsWith(words: readonly string[]): Promise<ReadonlySet<number>> {
    const last = this.#latestFirst().reduce((newest, { row }) => Math.max(newest, row), 0);
    const rows = new Set<number>();
    for (let first = 0; first <= last; first += SEARCH_BATCH) {
      for (const row of this.#open().find(words, first, first + SEARCH_BATCH - 1)) rows.add(row);
      await turnOfOthers();
    }
    return rows;
  }

  #enqueue(work: () => Promise<boolean>): Promise<boolean> {
    // A failed sync is reported by its caller. It must not make the next one fail.
    this.#syncing = this.#syncing.catch(() => false).then(work);
    return this.#syncing;
  }

  async #sync(there: readonly FileStamp[], removed: readonly string[], onProgress: () => void): Promise<boolean> {
    const known = this.#open().stamps();
    const changed = there.filter(({ id, bytes, writtenAt }) => {
      const before = known.get(id);
      return before === undefined || before.bytes !== bytes || before.writtenAt !== writtenAt;
    });
    if (removed.length > 0) this.#open().delete(removed);
    // The latest first, because the user most likely looks for these.
    changed.sort((a, b) => b.writtenAt - a.writtenAt);
    for (let start = 0; start < changed.length; start += BATCH) {
      const additions = await Promise.all(changed.slice(start, start + BATCH).map((stamp) => this.#read(stamp)));
      this.#open().put(additions);
      this.#summaries = undefined;
      onProgress();
      await turnOfOthers();
    }
    this.#summaries = undefined;
    return changed.length + removed.length > 0;
  }

  async #read(stamp: FileStamp): Promise<IndexAddition> {
    try {
      const stored = await this.#store.read(stamp.id);
      const summary = stored && summaryOf(stored.conversation);
      return { ...stamp, summary, text: stored === undefined ? '' : textOf(stored.conversation) };
    } catch (error) {
      this.#onUnreadable(stamp.id, error);
      return { ...stamp, summary: undefined, text: '' };
    }
  }
}

/** The panel does not receive the workspace of a conversation. */
function toRow({ workspace: _, ...row }: ConversationSummary): HistoryRow {
  return row;
}

function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word.toLowerCase()));
}

function turnOfOthers(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** The number of characters of an excerpt before and after the match. */
const BEFORE = 24;
const AFTER = 72;

/** Returns the text around the first match of the first of these words that is found: before, the match, and after. */
function excerptOf(text: string, words: readonly string[]): readonly [string, string, string] | undefined {
  const lower = text.toLowerCase();
  for (const word of words) {
    const place = lower.indexOf(word.toLowerCase());
    // Lowercase text may be longer than the original. The positions would then differ.
    if (place === -1 || lower.length !== text.length) continue;
    const end = place + word.length;
    return [
      `${place > BEFORE ? '…' : ''}${inLine(text.slice(Math.max(0, place - BEFORE), place))}`,
      text.slice(place, end),
      inLine(text.slice(end, end + AFTER)),
    ];
  }
  return undefined;
}

function inLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/**
 * Returns whether the list shows a conversation.
 * @param here The URI of this window's workspace, if it has one.
 */
function passes(summary: ConversationSummary, filter: HistoryFilter, here: string | undefined): boolean {
  const { pinned, model, workspace } = summary;
  if (filter.pinned === true && !pinned) return false;
  if (filter.workspace === true && (here === undefined || workspace !== here)) return false;
  return filter.model === undefined || filter.model === model;
}

/** The models that conversations can be filtered by, sorted by name. */
function modelsOf(summaries: readonly ConversationSummary[]): readonly string[] {
  return [...new Set(summaries.flatMap(({ model }) => model ?? []))].sort((a, b) => a.localeCompare(b));
}

const MONTHS_FORMAT = { month: 'long', year: 'numeric' } as const;

/**
 * The rows under the headings of the list. `limit` is the maximum number of rows in all groups together; sums include
 * all rows. `now` is in milliseconds since the epoch.
 */
export function groupRows(rows: readonly HistoryRow[], now: number, limit: number): HistoryGroup[] {
  const titleOf = groupTitles(now);
  const pinned = rows.filter((row) => row.pinned);
  const others = rows.filter((row) => !row.pinned);
  const groups = [
    ...(pinned.length === 0 ? [] : [[l10n.t('Pinned'), pinned] as const]),
    ...Map.groupBy(others, ({ changedAt }) => titleOf(changedAt)),
  ];
  let left = limit;
  return groups.flatMap(([title, members]) => {
    const shown = members.slice(0, left);
    left -= shown.length;
    return shown.length === 0 ? [] : [{ title, ...sumOf(members), rows: shown }];
  });
}

function groupTitles(now: number): (at: number) => string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  const daysAgo = (days: number) => new Date(today).setDate(new Date(today).getDate() - days);
  const [yesterday, lastWeek, lastMonth] = [daysAgo(1), daysAgo(7), daysAgo(30)];
  const months = new Intl.DateTimeFormat(language(), MONTHS_FORMAT);
  return (at) => {
    if (at >= today) return l10n.t('Today');
    if (at >= yesterday) return l10n.t('Yesterday');
    if (at >= lastWeek) return l10n.t('Last 7 days');
    return at >= lastMonth ? l10n.t('Last 30 days') : months.format(at);
  };
}
