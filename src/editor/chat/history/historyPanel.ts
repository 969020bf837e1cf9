import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type ConversationStore, conversationOfFile } from '../../../chat/conversation/conversationStore.ts';
import type { PropertyRecord } from '../../../chat/conversation/record.ts';
import { groupRows, History } from '../../../chat/history/history.ts';
import type { HistoryFilter, HistoryView } from '../../../pages/chat/protocol.ts';
import { sumOf } from '../../../pages/chat/spentMoney.ts';
import type { Log } from '../../log/log.ts';
import type { ChatSession } from '../chatSession.ts';
import type { Chats } from '../chats.ts';

/**
 * Deleted conversations are removed permanently after this time, even if the window was closed before. In milliseconds.
 */
const DELETED_MS = 60 * 60_000;

export interface HistoryServices {
  readonly session: ChatSession;
  readonly chats: Chats;
  readonly store: ConversationStore;
  readonly log: Log;
  readonly indexPath: string;
}

/** The panel's query. */
export interface HistoryQuestion {
  readonly query: string;
  readonly filter: HistoryFilter;
  readonly limit: number;
}

/** The list of saved conversations in the panel, and the actions on each. */
export class HistoryPanel implements vscode.Disposable {
  readonly #services: HistoryServices;
  readonly #history: History;
  /** The query of the list that is open; undefined while the list is closed. */
  #shown: HistoryQuestion | undefined;

  constructor(services: HistoryServices) {
    this.#services = services;
    this.#history = new History(services.store, services.indexPath, (id, error) =>
      services.log.error(`The chat ${id} cannot be read, so it is not in the history`, error),
    );
  }

  /** Shows the indexed conversations immediately, and updates them from the files afterwards. */
  async show({ query, filter, limit }: HistoryQuestion): Promise<void> {
    const isFirst = this.#shown === undefined;
    this.#shown = { query, filter, limit };
    await this.#post();
    if (!isFirst) return;
    await this.refresh();
    await this.#services.store.purge({ olderThanMs: DELETED_MS });
  }

  hide(): void {
    this.#shown = undefined;
    this.#history.close();
  }

  /** Indexes changes in these files, or in all of them, if the list is open. */
  async refresh(fileNames?: readonly string[]): Promise<void> {
    if (this.#shown === undefined) return;
    try {
      if (fileNames === undefined) await this.#history.sync(() => this.#post());
      else await this.#history.syncOnly(fileNames.flatMap((name) => conversationOfFile(name) ?? []));
      await this.#post('known');
    } catch (error) {
      this.#services.log.error('The saved conversations could not be listed', error);
      this.#services.session.panel.post({
        type: 'history',
        history: { ...EMPTY, state: 'failed', query: this.#shown.query, filter: this.#shown.filter },
      });
    }
  }

  /** Rebuilds the index from the files. Returns the number of conversations. */
  async rebuild(): Promise<number> {
    const count = await this.#history.rebuild();
    if (this.#shown === undefined) this.#history.close();
    else await this.#post('known');
    return count;
  }

  async rename(id: string, title: string): Promise<void> {
    if (title.trim() !== '') await this.#decide(id, { type: 'title', title: title.trim() });
  }

  async pin(id: string, pinned: boolean): Promise<void> {
    await this.#decide(id, { type: 'pinned', pinned });
  }

  /** Asks for confirmation only if the conversation is pinned. Otherwise the deletion can be undone. */
  async delete(id: string): Promise<void> {
    const { session, chats, store } = this.#services;
    const conversation = (await store.read(id))?.conversation;
    if (conversation === undefined || (conversation.isPinned && !(await confirmed()))) return;
    const wasShown = session.chat.conversation.id === id;
    await chats.end(id);
    await store.delete(id);
    await this.refresh();
    session.undo.offer({
      text: l10n.t('Chat deleted.'),
      undo: async () => {
        await store.restore(id);
        await this.refresh();
        if (wasShown && session.chat.conversation.value.isEmpty) await session.open(id);
      },
      onExpired: () => store.purge(id),
    });
  }

  dispose(): void {
    this.hide();
  }

  async #decide(id: string, record: PropertyRecord): Promise<void> {
    const { chats, store } = this.#services;
    const chat = chats.live(id);
    if (chat === undefined) await store.append(id, [record]);
    chat?.conversation.record(record);
    chat?.update();
    await store.whenWritten();
    await this.refresh();
  }

  async #post(state?: HistoryView['state']): Promise<void> {
    const asked = this.#shown;
    if (asked === undefined) return;
    const { query, filter, limit } = asked;
    const rows = await this.#history.find(query, limit, filter);
    // The user may have started another search in the meantime.
    if (asked !== this.#shown) return;
    const history: HistoryView = {
      state: state ?? (rows.length === 0 && asksForAll(asked) ? 'loading' : 'known'),
      query,
      filter,
      models: this.#history.models,
      hasWorkspace: this.#services.store.workspace !== undefined,
      groups: groupRows(rows, Date.now(), limit),
      count: rows.length,
      ...sumOf(rows),
    };
    this.#services.session.panel.post({ type: 'history', history });
  }
}

function asksForAll({ query, filter }: HistoryQuestion): boolean {
  return query === '' && Object.keys(filter).length === 0;
}

const EMPTY: HistoryView = {
  state: 'known',
  query: '',
  filter: {},
  models: [],
  hasWorkspace: false,
  groups: [],
  count: 0,
};

async function confirmed(): Promise<boolean> {
  const choice = await vscode.window.showWarningMessage(
    l10n.t('Delete this pinned chat?'),
    { modal: true },
    l10n.t('Delete'),
  );
  return choice !== undefined;
}
