import { readFileSync, statSync } from 'node:fs';
import { errorText } from '../../../display/errors.ts';
import { replacePrivateFileSync } from '../../../files/privateFiles.ts';
import { parseJson } from '../../../formats/json.ts';
import {
  digest,
  idOf,
  isKnownRefusal,
  type KnownRefusal,
  MAX_NAME_LENGTH,
  merged,
  type RefusalList,
  type SharedRefusals,
} from '../../core/knownRefusal.ts';
import type { ListedRefusal } from '../../core/listedRefusal.ts';

/** Services change, so each refusal is tried again after a day. */
const KEPT_MS = 24 * 60 * 60_000;
/** How long a request that no change helped with is not tried in other forms. */
const UNHELPED_MS = 10 * 60_000;
const MAX_REFUSALS = 500;
/** A longer file is not the gateway's. In bytes. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The file in which a gateway with this ledger keeps what its upstreams refuse. */
export function refusalsBeside(ledger: string): string {
  return `${ledger}.refusals.json`;
}

/**
 * What the upstreams refuse, for a day or until their settings change. With a file, it survives a restart. A file that
 * cannot be read only means that the refusals are learned again.
 */
export class RefusalMemory implements RefusalList {
  readonly #now: () => number;
  readonly #onProblem: ((message: string) => void) | undefined;
  #refusals: readonly KnownRefusal[] = [];
  /** Whether anything was learned. A plain member, because each request asks. */
  hasSome = false;
  #path: string | undefined;
  #shared: SharedRefusals | undefined;

  constructor(onProblem?: (message: string) => void, now: () => number = Date.now) {
    this.#onProblem = onProblem;
    this.#now = now;
  }

  /** Everything that is known, without what has expired. */
  get all(): readonly KnownRefusal[] {
    const now = this.#now();
    return this.#refusals.filter(({ until }) => until > now);
  }

  /** Everything that is known, for users. */
  get listed(): readonly ListedRefusal[] {
    return this.all.map((each) => {
      const { upstream, model, changes } = each;
      return { id: idOf(each), upstream, model, changes };
    });
  }

  /** Reads the file, if it exists, and writes what is learned from now on to it. */
  keepIn(path: string): void {
    this.#path = path;
    this.#set(merged(this.#read(path), this.#refusals));
  }

  shareWith(shared: SharedRefusals): void {
    this.#shared = shared;
  }

  replace(known: readonly KnownRefusal[]): void {
    this.#set(known);
  }

  /** @param settings those of the upstream, without its key. */
  ofUpstream(upstream: string, settings: unknown): UpstreamRefusals {
    return new UpstreamRefusals(this, upstream, digest(settings));
  }

  /** @param refusals without the time until which they are kept. */
  add(refusals: readonly Omit<KnownRefusal, 'until'>[]): void {
    const now = this.#now();
    const learned = refusals.map((each) => ({
      ...each,
      until: now + (each.changes.length === 0 ? UNHELPED_MS : KEPT_MS),
    }));
    // Other processes with the same ledger write the same file.
    const written = this.#path === undefined ? [] : this.#read(this.#path);
    const current = new Map(learned.map(({ upstream, settings }) => [upstream, settings]));
    const known = merged(written, merged(this.all, learned));
    this.#set(known.filter(({ upstream, settings }) => (current.get(upstream) ?? settings) === settings));
    if (this.#path !== undefined) this.#write(this.#path);
    this.#shared?.add(learned);
  }

  /**
   * Forgets what was learned, so that it is tried again.
   * @param ids see {@link idOf}.
   */
  remove(ids: readonly string[]): void {
    const written = this.#path === undefined ? [] : this.#read(this.#path);
    this.#set(merged(written, this.all).filter((each) => !ids.includes(idOf(each))));
    if (this.#path !== undefined) this.#write(this.#path);
    this.#shared?.remove(ids);
  }

  #set(refusals: readonly KnownRefusal[]): void {
    this.#refusals = refusals.slice(-MAX_REFUSALS);
    this.hasSome = this.#refusals.length > 0;
  }

  #read(path: string): readonly KnownRefusal[] {
    try {
      if (statSync(path).size > MAX_FILE_BYTES) return [];
      const kept = parseJson(readFileSync(path, 'utf8'));
      return Array.isArray(kept) ? kept.filter(isKnownRefusal).slice(-MAX_REFUSALS) : [];
    } catch {
      // There is no file yet, or it cannot be read.
      return [];
    }
  }

  #write(path: string): void {
    try {
      replacePrivateFileSync(path, JSON.stringify(this.#refusals));
    } catch (error) {
      this.#onProblem?.(`Could not save what the upstreams refuse: ${errorText(error)}`);
    }
  }
}

/** The refusals of one upstream with its current settings. */
export class UpstreamRefusals {
  readonly memory: RefusalMemory;
  readonly #upstream: string;
  readonly #settings: string;

  constructor(memory: RefusalMemory, upstream: string, settings: string) {
    this.memory = memory;
    this.#upstream = upstream;
    this.#settings = settings;
  }

  /** Returns the sets of changes with which the upstream accepts requests for a model. */
  of(model: string): readonly (readonly string[])[] {
    return this.#of(model).flatMap(({ changes }) => (changes.length === 0 ? [] : [changes]));
  }

  /** Whether no change has helped requests of this shape lately. */
  isUnhelped(model: string, shape: string): boolean {
    const wanted = digest(shape);
    return this.#of(model).some((each) => each.shape === wanted);
  }

  learn(model: string, sets: readonly (readonly string[])[]): void {
    this.memory.add(sets.map((changes) => ({ ...this.#place(model), changes })));
  }

  learnUnhelped(model: string, shapes: readonly string[]): void {
    this.memory.add(shapes.map((shape) => ({ ...this.#place(model), changes: [], shape: digest(shape) })));
  }

  #place(model: string) {
    return { upstream: this.#upstream, settings: this.#settings, model: model.slice(0, MAX_NAME_LENGTH) };
  }

  #of(model: string): readonly KnownRefusal[] {
    const name = model.slice(0, MAX_NAME_LENGTH);
    return this.memory.all.filter(
      (each) => each.upstream === this.#upstream && each.settings === this.#settings && each.model === name,
    );
  }
}
