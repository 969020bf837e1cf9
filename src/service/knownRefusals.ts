import { isRecord } from '../formats/json.ts';

/** Where refusals survive a restart, such as the editor's global state. */
export interface RefusalStore {
  get(): unknown;
  set(value: unknown): void;
}

interface Refusal {
  readonly members: readonly string[];
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Services change, so each refusal is tried again after a day. */
const KEPT_MS = 24 * 60 * 60_000;
const MAX_MODELS = 100;

/** Members of requests that one service refuses, by model. */
export class KnownRefusals {
  readonly #store: RefusalStore | undefined;
  readonly #byModel: Map<string, Refusal>;

  constructor(store?: RefusalStore) {
    this.#store = store;
    const kept = store?.get();
    this.#byModel = new Map(isRecord(kept) ? Object.entries(kept).filter(isRefusal) : []);
  }

  of(model: string): readonly string[] {
    const known = this.#byModel.get(model);
    return known !== undefined && known.until > Date.now() ? known.members : [];
  }

  learn(model: string, members: readonly string[]): void {
    this.#byModel.delete(model);
    this.#byModel.set(model, { members, until: Date.now() + KEPT_MS });
    const [oldest] = this.#byModel.keys();
    if (this.#byModel.size > MAX_MODELS && oldest !== undefined) this.#byModel.delete(oldest);
    this.#store?.set(Object.fromEntries(this.#byModel));
  }
}

function isRefusal(entry: [string, unknown]): entry is [string, Refusal] {
  const [, value] = entry;
  if (!isRecord(value) || typeof value.until !== 'number' || !Array.isArray(value.members)) return false;
  return value.members.every((member) => typeof member === 'string');
}
