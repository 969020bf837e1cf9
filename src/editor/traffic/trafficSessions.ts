import type * as vscode from 'vscode';
import { titleOf } from '../../chat/conversation/title.ts';
import type { TrafficHostMessage } from '../../pages/traffic/protocol.ts';
import { DelayedCall } from '../../rules/delayedCall.ts';
import type { ExchangeFilter } from '../../rules/exchangeFilter.ts';
import type { TrafficServices } from './trafficServices.ts';

/** Requests come in bursts, and the sums of sessions are computed from all rows. In milliseconds. */
const QUIET_MS = 1_000;
const MAX_SESSIONS = 300;
/** The maximum number of requests of one session; only the latest are read. */
const MAX_REQUESTS = 2_000;

/** The sessions that the Traffic tab shows as a tree, read again after changes, and their requests. */
export class TrafficSessions implements vscode.Disposable {
  readonly #services: TrafficServices;
  readonly #post: (message: TrafficHostMessage) => void;
  readonly #titles = new Map<string, string>();
  /** Undefined while the tab shows no tree. */
  #filter: ExchangeFilter | undefined;
  readonly #readingSoon = new DelayedCall(() => void this.#read(), QUIET_MS);

  constructor(services: TrafficServices, post: (message: TrafficHostMessage) => void) {
    this.#services = services;
    this.#post = post;
  }

  /** @param filter Undefined to stop showing sessions. */
  async show(filter: ExchangeFilter | undefined): Promise<void> {
    this.#filter = filter;
    await this.#read();
  }

  readSoon(): void {
    if (this.#filter !== undefined) this.#readingSoon.soon();
  }

  /** Posts the requests of one session that match the filter. */
  async readRequests(sessionId: string): Promise<void> {
    const { worker, ledger } = this.#services;
    const filter = { ...this.#filter, sessionId };
    const { rows, exchanges } = await worker.rpc.readLedger('exchanges', { ledger, filter, limit: MAX_REQUESTS });
    this.#post({ type: 'sessionRequests', sessionId, rows, hasMore: exchanges > rows.length });
  }

  dispose(): void {
    this.#filter = undefined;
    this.#readingSoon.dispose();
  }

  async #read(): Promise<void> {
    this.#readingSoon.cancel();
    const { worker, ledger, log } = this.#services;
    const filter = this.#filter;
    if (filter === undefined) return;
    try {
      const page = await worker.rpc.readLedger('sessions', { ledger, filter, limit: MAX_SESSIONS });
      const chats = new Set(page.sessions.map(({ conversationId }) => conversationId).filter((id) => id !== ''));
      await this.#readTitles([...chats]);
      if (filter !== this.#filter) return;
      const titles = Object.fromEntries([...this.#titles].filter(([id]) => chats.has(id)));
      this.#post({ type: 'sessions', ...page, titles });
    } catch (error) {
      // The list shows why the ledger cannot be read.
      log.error('The sessions could not be read', error);
    }
  }

  async #readTitles(chats: readonly string[]): Promise<void> {
    const missing = chats.filter((id) => !this.#titles.has(id));
    const read = missing.map(async (id) => {
      const stored = await this.#services.store.read(id).catch(() => undefined);
      if (stored !== undefined) this.#titles.set(id, titleOf(stored.conversation));
    });
    await Promise.all(read);
  }
}
