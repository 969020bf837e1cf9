import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { SessionPage, TrafficRow } from '../../../pages/traffic/protocol.ts';
import type { TrafficPageMessage } from '../../../pages/traffic/trafficMessages.ts';
import { withNewer } from '../rows.ts';
import { type SessionRequests, type TreeNode, treeNodes } from './treeNodes.ts';

type Sessions = SessionPage & { readonly titles: Readonly<Record<string, string>> };

/** The tree of sessions: its expanded nodes, and the requests of the expanded sessions. */
export class SessionTree {
  readonly #post: (message: TrafficPageMessage) => void;
  readonly #sessions = signal<Sessions | undefined>(undefined);
  readonly #requests = signal<ReadonlyMap<string, SessionRequests>>(new Map());
  readonly #open = signal<ReadonlySet<string>>(new Set());
  /** ID of the node with the keyboard focus. */
  readonly activeId = signal<string | undefined>(undefined);
  /** Undefined until the host has read the sessions. */
  readonly sessions: ReadonlySignal<Sessions | undefined> = this.#sessions;
  readonly nodes: ReadonlySignal<readonly TreeNode[]>;

  constructor(post: (message: TrafficPageMessage) => void, live: ReadonlySignal<readonly TrafficRow[]>) {
    this.#post = post;
    this.nodes = computed(() =>
      treeNodes({
        sessions: this.#sessions.value?.sessions ?? [],
        withoutSession: this.#sessions.value?.withoutSession,
        requests: this.#requests.value,
        live: live.value,
        open: this.#open.value,
      }),
    );
  }

  show(sessions: Sessions): void {
    this.#sessions.value = sessions;
  }

  showRequests(sessionId: string, requests: SessionRequests): void {
    this.#requests.value = new Map(this.#requests.value).set(sessionId, requests);
  }

  /** Adds requests that were entered in the ledger. */
  add(rows: readonly TrafficRow[]): void {
    const requests = [...this.#requests.value].map(([sessionId, known]) => {
      const newer = rows.filter((row) => (row.sessionId ?? '') === sessionId);
      return [sessionId, newer.length === 0 ? known : { ...known, rows: withNewer(known.rows, newer) }] as const;
    });
    this.#requests.value = new Map(requests);
  }

  /** Reads everything again after the filter has changed. */
  reread(): void {
    for (const sessionId of this.#requests.value.keys()) this.#post({ type: 'readSession', sessionId });
  }

  find(exchangeId: string): TrafficRow | undefined {
    for (const { rows } of this.#requests.value.values()) {
      const row = rows.find(({ id }) => id === exchangeId);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  setOpen({ id, ...node }: TreeNode, isOpen: boolean): void {
    this.#mark(id, isOpen);
    if (node.kind !== 'session' || !isOpen || this.#requests.value.has(node.session.sessionId)) return;
    this.#post({ type: 'readSession', sessionId: node.session.sessionId });
  }

  /**
   * Shows the turns that a row represents.
   * @param key the key of that row.
   */
  showTurns(key: string): void {
    this.#mark(key, true);
  }

  closeAll(): void {
    this.#open.value = new Set();
  }

  #mark(id: string, isOpen: boolean): void {
    const open = new Set(this.#open.value);
    if (isOpen) open.add(id);
    else open.delete(id);
    this.#open.value = open;
  }
}
