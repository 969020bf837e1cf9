import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText } from '../../../display/errors.ts';
import { isRecord, parseJson } from '../../../formats/json.ts';

/** Services change, so each refusal is tried again after a day. */
const KEPT_MS = 24 * 60 * 60_000;
/** Limits the memory and the file, because callers choose the names of models. */
const MAX_REFUSALS = 500;
const MAX_NAME_LENGTH = 200;
/** A longer file is not the gateway's. In bytes. */
const MAX_FILE_BYTES = 1024 * 1024;

/** A member that an upstream refuses for a model. */
export interface RefusedMember {
  readonly upstream: string;
  /** A digest of the upstream's settings. With other settings, the refusal is forgotten. */
  readonly settings: string;
  readonly model: string;
  readonly member: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** The file in which a gateway with this ledger keeps what its upstreams refuse. */
export function refusalsBeside(ledger: string): string {
  return `${ledger}.refusals.json`;
}

/**
 * Which members of requests the upstreams refuse, for a day or until their settings change. With a file, it survives a
 * restart. A file that cannot be read only means that the refusals are learned again.
 */
export class RefusalMemory {
  readonly #now: () => number;
  readonly #onProblem: ((message: string) => void) | undefined;
  #refusals: readonly RefusedMember[] = [];
  /** Whether anything was learned. A plain member, because each request asks. */
  hasSome = false;
  #path: string | undefined;

  constructor(onProblem?: (message: string) => void, now: () => number = Date.now) {
    this.#onProblem = onProblem;
    this.#now = now;
  }

  /** Everything that is known, without what has expired. */
  get all(): readonly RefusedMember[] {
    const now = this.#now();
    return this.#refusals.filter(({ until }) => until > now);
  }

  /** Reads the file, if it exists, and writes what is learned from now on to it. */
  keepIn(path: string): void {
    this.#path = path;
    this.#refusals = merged(this.#read(path), this.#refusals);
    this.hasSome = this.#refusals.length > 0;
  }

  /** @param settings those of the upstream, without its key. */
  ofUpstream(upstream: string, settings: unknown): UpstreamRefusals {
    return new UpstreamRefusals(this, upstream, digest(settings));
  }

  add(upstream: string, settings: string, model: string, members: readonly string[]): void {
    const until = this.#now() + KEPT_MS;
    const learned = members.map((member) => ({ upstream, settings, model, member, until }));
    // Other processes with the same ledger write the same file.
    const written = this.#path === undefined ? [] : this.#read(this.#path);
    const known = merged(written, merged(this.all, learned));
    this.#refusals = known
      .filter((each) => each.upstream !== upstream || each.settings === settings)
      .slice(-MAX_REFUSALS);
    this.hasSome = true;
    if (this.#path !== undefined) this.#write(this.#path);
  }

  #read(path: string): readonly RefusedMember[] {
    try {
      if (statSync(path).size > MAX_FILE_BYTES) return [];
      const kept = parseJson(readFileSync(path, 'utf8'));
      return Array.isArray(kept) ? kept.filter(isRefusal).slice(-MAX_REFUSALS) : [];
    } catch {
      // There is no file yet, or it cannot be read.
      return [];
    }
  }

  /** Writes a temporary file and renames it, so that other processes never read a partial file. */
  #write(path: string): void {
    const draft = `${path}.${process.pid}`;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(draft, JSON.stringify(this.#refusals), { mode: 0o600 });
      renameSync(draft, path);
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

  of(model: string): readonly string[] {
    return this.memory.all
      .filter((each) => each.upstream === this.#upstream && each.settings === this.#settings)
      .filter((each) => each.model === model.slice(0, MAX_NAME_LENGTH))
      .map(({ member }) => member);
  }

  learn(model: string, members: readonly string[]): void {
    this.memory.add(this.#upstream, this.#settings, model.slice(0, MAX_NAME_LENGTH), members);
  }
}

/** Later refusals replace earlier ones of the same member. */
function merged(earlier: readonly RefusedMember[], later: readonly RefusedMember[]): readonly RefusedMember[] {
  const keyOf = ({ upstream, model, member, settings }: RefusedMember) =>
    JSON.stringify([upstream, model, member, settings]);
  const replaced = new Set(later.map(keyOf));
  return [...earlier.filter((each) => !replaced.has(keyOf(each))), ...later];
}

function isRefusal(value: unknown): value is RefusedMember {
  if (!isRecord(value) || typeof value.until !== 'number') return false;
  const texts = [value.upstream, value.settings, value.model, value.member];
  return texts.every((text) => typeof text === 'string' && text.length <= MAX_NAME_LENGTH);
}

function digest(settings: unknown): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('base64url').slice(0, 22);
}
