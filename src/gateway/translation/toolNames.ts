import { createHash } from 'node:crypto';
import { defined } from '../../formats/defined.ts';

/** A tool as the caller knows it. */
export interface CallerTool {
  readonly name: string;
  readonly namespace?: string;
  readonly freeForm?: true;
  readonly toolSearch?: true;
}

/** What every service takes. */
const MAX_NAME_LENGTH = 64;
const HASH_LENGTH = 8;
const NOT_TAKEN = /[^\w-]/g;

/**
 * One flat list of names that any service takes, for tools whose names may be long, of any characters, and the same in
 * two namespaces. The same tools always get the same names, so that what the upstream has cached stays of use.
 */
export class ToolNames {
  /** By the name toward the upstream. */
  readonly #tools = new Map<string, CallerTool>();
  /** By namespace and name. */
  readonly #names = new Map<string, string>();
  /** Those of any namespace, by the name alone. */
  readonly #alike = new Map<string, string[]>();

  /** The name toward the upstream. */
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

  /** The caller's tool; one that the upstream made up keeps its name. */
  toolOf(wire: string): CallerTool {
    return this.#tools.get(wire) ?? { name: wire };
  }

  /** The names toward the upstream of what the caller means by a name: the tool itself, else those of any namespace. */
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
