import { isRecord } from '../../../formats/json.ts';
export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };

/** What is written into a tool's configuration. Paths name members from the outermost in. */
export type Change =
  | {
      readonly kind: 'set';
      readonly path: readonly string[];
      readonly value: Value;
      /** A member of the value that the tool writes anew by itself, such as a time. */
      readonly stamp?: string;
    }
  /** Only where nothing stands there yet, such as a version that the tool asks for. */
  | { readonly kind: 'default'; readonly path: readonly string[]; readonly value: Value }
  /** One more item of a list, which is made where it is missing. Its `name` tells it from the others. */
  | { readonly kind: 'append'; readonly path: readonly string[]; readonly value: NamedItem };

export type NamedItem = { readonly name: string } & { readonly [name: string]: Value };

/** The value at a path of a parsed configuration. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), root);
}
