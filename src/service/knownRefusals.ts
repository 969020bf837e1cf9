import { isRecord } from '../formats/json.ts';
import { BoundedMap } from '../rules/boundedMap.ts';

/** Where refusals survive a restart, such as the editor's global state. */
export interface RefusalStore {
  get(): unknown;
  set(value: unknown): void;
}

/** Changes that belong together. */
type ChangeSet = readonly string[];

interface RememberedRefusal {
  readonly sets: readonly ChangeSet[];
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Services change, so each refusal is tried again after a day. */
const KEPT_MS = 24 * 60 * 60_000;
/** How long a request that no change helped with is not tried in other forms. */
const UNHELPED_MS = 10 * 60_000;
const MAX_MODELS = 100;

/** With which changes one service accepts requests, by model. */
export class KnownRefusals {
  readonly #store: RefusalStore | undefined;
  readonly #byModel = new BoundedMap<string, RememberedRefusal>(MAX_MODELS);
  /** Until when no other form is tried, by model and shape. Not stored, because it is short. */
  readonly #unhelped = new Map<string, number>();

  constructor(store?: RefusalStore) {
    this.#store = store;
    const kept = store?.get();
    const known = isRecord(kept) ? Object.entries(kept).filter(isRefusal) : [];
    for (const [model, refusal] of known) this.#byModel.set(model, refusal);
  }

  /** The models that refuse something. */
  get models(): readonly string[] {
    return [...this.#byModel.keys()].filter((model) => this.of(model).length > 0);
  }

  of(model: string): readonly ChangeSet[] {
    const known = this.#byModel.get(model);
    return known !== undefined && known.until > Date.now() ? known.sets : [];
  }

  learn(model: string, sets: readonly ChangeSet[]): void {
    const before = this.of(model).filter((each) => !sets.some((set) => set.join() === each.join()));
    this.#byModel.set(model, { sets: [...before, ...sets], until: Date.now() + KEPT_MS });
    this.#save();
  }

  /** Forgets what a model refuses, so that it is tried again. */
  forget(model: string): void {
    this.#byModel.delete(model);
    this.#unhelped.clear();
    this.#save();
  }

  /** Whether no change has helped requests of this shape lately. */
  isUnhelped(model: string, shape: string): boolean {
    return (this.#unhelped.get(`${model} ${shape}`) ?? 0) > Date.now();
  }

  learnUnhelped(model: string, shape: string): void {
    if (this.#unhelped.size >= MAX_MODELS) this.#unhelped.clear();
    this.#unhelped.set(`${model} ${shape}`, Date.now() + UNHELPED_MS);
  }

  #save(): void {
    this.#store?.set(Object.fromEntries(this.#byModel));
  }
}

function isRefusal(entry: [string, unknown]): entry is [string, RememberedRefusal] {
  const [, value] = entry;
  if (!isRecord(value) || typeof value.until !== 'number' || !Array.isArray(value.sets)) return false;
  return value.sets.every((set) => Array.isArray(set) && set.every((change) => typeof change === 'string'));
}
