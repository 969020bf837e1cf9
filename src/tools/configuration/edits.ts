import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { isRecord } from '../../formats/json.ts';

/** A text format that is edited in place: comments, order, and other members are unchanged. */
export interface ConfigurationFormat {
  /** @throws {SyntaxError} with the position if the text cannot be parsed. */
  parse(text: string): unknown;
  /** Returns the text with a value set at a path, or removed if it is undefined. Numbers are indexes in lists. */
  edit(text: string, path: readonly (string | number)[], value: unknown): string;
}

export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };

/** A change of a tool's configuration. Paths name members from the outermost in. */
export type Change =
  | {
      readonly kind: 'set';
      readonly path: readonly string[];
      readonly value: Value;
      /** The name of a member of the value that the tool itself updates, such as a time. */
      readonly stamp?: string;
    }
  /** Applies only if the member does not exist, such as a version that the tool requires. */
  | { readonly kind: 'default'; readonly path: readonly string[]; readonly value: Value }
  /** Appends an item to a list, which is created if needed. The item's `name` identifies it. */
  | { readonly kind: 'append'; readonly path: readonly string[]; readonly value: NamedItem };

export type NamedItem = { readonly name: string } & { readonly [name: string]: Value };

/** The stored data of a change, without its value, which may be a key. */
export interface AppliedChange {
  readonly kind: 'set' | 'append';
  readonly path: readonly string[];
  /** The SHA-256 digest of the written value, without its stamp. */
  readonly digest: string;
  readonly stamp?: string;
}

const BYTE_ORDER_MARK = '\uFEFF';

export function applyChanges(format: ConfigurationFormat, text: string, changes: readonly Change[]): string {
  const [mark, rest] = splitMark(text);
  return mark + changes.reduce((edited, change) => applyChange(format, edited, change), rest);
}

/** Some editors on Windows begin a file with a byte order mark. Parsers refuse it or drop it. */
function splitMark(text: string): readonly [mark: string, rest: string] {
  return text.startsWith(BYTE_ORDER_MARK) ? [BYTE_ORDER_MARK, text.slice(1)] : ['', text];
}

function applyChange(format: ConfigurationFormat, text: string, { kind, path, value }: Change): string {
  const root = format.parse(text);
  checkContainers(root, path);
  const present = valueAt(root, path);
  if (kind === 'default') return present === undefined ? format.edit(text, path, value) : text;
  if (kind === 'set') return format.edit(text, path, value);
  if (!Array.isArray(present)) return format.edit(text, path, [value]);
  const index = present.findIndex((item) => isRecord(item) && item.name === value.name);
  return format.edit(text, [...path, index === -1 ? present.length : index], value);
}

/** @throws {SyntaxError} if a value would have to be replaced with an object, because it would be lost. */
function checkContainers(root: unknown, path: readonly string[]): void {
  for (let depth = 0; depth < path.length; depth += 1) {
    const container = valueAt(root, path.slice(0, depth));
    if (container === undefined) return;
    if (isRecord(container)) continue;
    const name = path.slice(0, depth).join('.');
    throw new SyntaxError(
      depth === 0 ? l10n.t('The file must contain an object.') : l10n.t('"{0}" must be an object.', name),
    );
  }
}

export function appliedChanges(changes: readonly Change[]): AppliedChange[] {
  return changes.flatMap((change): AppliedChange[] => {
    const { kind, path, value } = change;
    if (kind === 'default') return [];
    const stamp = kind === 'set' ? change.stamp : undefined;
    return [{ kind, path, digest: digestOf(withoutMember(value, stamp)), ...(stamp !== undefined && { stamp }) }];
  });
}

/**
 * Reverts changes in a file that was edited since. Only values that are unchanged get their previous value. Containers
 * that become empty are removed if they did not exist before.
 * @param before The text before the changes.
 */
export function revertChanges(
  format: ConfigurationFormat,
  text: string,
  before: string,
  changes: readonly AppliedChange[],
): string {
  const earlier = format.parse(splitMark(before)[1]);
  const [mark, rest] = splitMark(text);
  return mark + changes.reduce((edited, change) => revertChange(format, edited, earlier, change), rest);
}

function revertChange(
  format: ConfigurationFormat,
  text: string,
  earlier: unknown,
  { kind, path, digest, stamp }: AppliedChange,
): string {
  const present = valueAt(format.parse(text), path);
  if (kind === 'set') {
    if (present === undefined || digestOf(withoutMember(present, stamp)) !== digest) return text;
    return withoutEmpty(format, format.edit(text, path, valueAt(earlier, path)), earlier, path);
  }
  const index = Array.isArray(present) ? present.findIndex((item) => digestOf(item) === digest) : -1;
  return index === -1
    ? text
    : withoutEmpty(format, format.edit(text, [...path, index], undefined), earlier, [...path, '']);
}

/** Removes empty containers that did not exist before, from the inside out. */
function withoutEmpty(format: ConfigurationFormat, text: string, earlier: unknown, path: readonly string[]): string {
  const parent = path.slice(0, -1);
  if (parent.length === 0) return text;
  const present = valueAt(format.parse(text), parent);
  const isEmpty = typeof present === 'object' && present !== null && Object.keys(present).length === 0;
  if (!isEmpty || valueAt(earlier, parent) !== undefined) return text;
  return withoutEmpty(format, format.edit(text, parent, undefined), earlier, parent);
}

function withoutMember(value: unknown, name: string | undefined): unknown {
  if (name === undefined || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([member]) => member !== name));
}

/** Returns the same digest for equal values, regardless of the order of members. */
function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}

/** The value at a path of a parsed configuration. */
function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined), root);
}
