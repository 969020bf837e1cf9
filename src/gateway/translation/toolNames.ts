import { createHash } from 'node:crypto';
import { defined } from '../../formats/json.ts';

/** A tool as the caller defines it. */
export interface CallerTool {
  readonly name: string;
  readonly namespace?: string;
  readonly freeForm?: true;
  readonly toolSearch?: true;
}

/** Accepted by all services. */
const MAX_NAME_LENGTH = 64;
const HASH_LENGTH = 8;
const NOT_TAKEN = /[^\w-]/g;

/**
 * Maps the caller's tools to a flat list of names that all services accept. The caller's names can be long, contain any
 * characters, and occur in two namespaces. The same tools always get the same names, so that the upstream's cache stays
 * valid.
 */
export class ToolNames {
  /** By the name sent to the upstream. */
  readonly #tools = new Map<string, CallerTool>();
  /** By namespace and name. */
  readonly #names = new Map<string, string>();
  /** Those of any namespace, by the name alone. */
  readonly #alike = new Map<string, string[]>();

  /** Returns the name sent to the upstream. */
  nameOf({ name, namespace, freeForm, toolSearch }: CallerTool): string {
    const key = keyOf({ name, ...defined({ namespace }) });
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const wire = this.#free(namespace === undefined ? name : `${namespace}__${name}`, key);
    this.#names.set(key, wire);
    const alike = this.#alike.get(name);
    if (alike === undefined) this.#alike.set(name, [wire]);
    else alike.push(wire);
    this.#tools.set(wire, { name, ...defined({ namespace, freeForm, toolSearch }) });
    return wire;
  }

  /** Returns the caller's tool. A name invented by the model is returned unchanged. */
  toolOf(wire: string): CallerTool {
    return this.#tools.get(wire) ?? { name: wire };
  }

  /**
   * Returns the upstream's names for a name in the caller's tool choice: the tool with exactly this name, or else those
   * with this name in any namespace.
   */
  namesOfChosen(chosen: CallerTool): readonly [string, ...string[]] {
    const exact = this.#names.get(keyOf(chosen));
    if (exact !== undefined || chosen.namespace !== undefined) return [exact ?? this.nameOf(chosen)];
    const [first, ...others] = this.#alike.get(chosen.name) ?? [];
    return first === undefined ? [this.nameOf(chosen)] : [first, ...others];
  }

  #free(wanted: string, key: string): string {
    const plain = wanted.replace(NOT_TAKEN, '_');
    if (plain !== '' && plain.length <= MAX_NAME_LENGTH && !this.#tools.has(plain)) return plain;
    const hash = createHash('sha256').update(key).digest('hex').slice(0, HASH_LENGTH);
    return `${plain.slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1)}_${hash}`;
  }
}

function keyOf({ name, namespace }: CallerTool): string {
  return JSON.stringify([namespace ?? null, name]);
}
