/** Names what a change removes. */
import { itemsIn } from './items.ts';
import { type Item, structureOf } from './structure.ts';
import { syntaxOf } from './syntax.ts';

/** The most names that are shown. */
const MAX_NAMES = 5;

/** The names of functions, types, and sections that a text has and its new version lacks. An ellipsis stands for further ones. */
export function removedItems(before: string, after: string, path: string): readonly string[] {
  const [names, others] = [before, after].map((text) => new Set(namesIn(text, path)));
  const removed = [...(names ?? [])].filter((name) => others?.has(name) !== true);
  return removed.length > MAX_NAMES ? [...removed.slice(0, MAX_NAMES), '…'] : removed;
}

function namesIn(text: string, path: string): readonly string[] {
  const { root } = structureOf(text, syntaxOf(path, text));
  return [...itemsIn(root)].filter(isNamed).map(({ identity }) => identity.replace(/^section \S+ |^\w+ /, ''));
}

function isNamed({ identity, bodies }: Item): boolean {
  return /^(?:type|name|section|table|function) /.test(identity) && bodies.length > 0;
}
