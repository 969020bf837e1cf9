/**
 * Changes only the members that an answer shows of a class, an object, or a rule. Answers often show a part of one as if it
 * were whole.
 */
import { indentOf, isBlank } from '../review/lines.ts';
import { itemsIn, lacksMembers, membersOf } from './items.ts';
import { markIn } from './marks.ts';
import { propose, structuresOf } from './proposal.ts';
import type { Item } from './structure.ts';
import type { Syntax } from './syntax.ts';

/**
 * Returns the text with the members that the code shows, and all others as they are; undefined if the code lacks no
 * members of what it shows, or if their place is not found.
 * @param path The file's path, which tells its language.
 */
export function withShownMembers(text: string, code: string, path: string): string | undefined {
  const { file, answer } = structuresOf(text, code, path);
  if (answer.marks.size > 0) return undefined;
  const byIdentity = Map.groupBy(itemsIn(file.root), ({ identity }) => identity);
  // The object that a file of JSON is has no name.
  const versionsOf = (item: Item) =>
    item.identity === '' ? (item.level === answer.root ? file.root.items : []) : (byIdentity.get(item.identity) ?? []);
  const isPart = (item: Item) =>
    membersOf(item).length > 0 && versionsOf(item).some((other) => lacksMembers(other, item));
  const parts = [...itemsIn(answer.root)].filter((item) => isPart(item) && !isInFunction(item, answer.lines));
  if (parts.length === 0) return undefined;
  return propose(text, withMarks(answer.lines, parts, answer.syntax), path, { before: 0, runs: [] });
}

/** A function that is shown is whole. */
function isInFunction({ level }: Item, lines: readonly string[]): boolean {
  const { owner } = level;
  if (owner === undefined) return false;
  return (owner.identity.startsWith('name ') && /[()]/.test(lines[owner.head] ?? '')) || isInFunction(owner, lines);
}

/** The code with a mark before the first member and after the last one of each of these items. */
function withMarks(lines: readonly string[], parts: readonly Item[], syntax: Syntax): string {
  const marked = new Map<number, string>();
  for (const { bodies } of parts) {
    const body = bodies.at(-1);
    // What a type has as a description is no member, which something could follow.
    const first = body?.items.find(({ identity }) => identity !== 'statement docstring');
    if (body === undefined || first === undefined) continue;
    const mark = indentOf(lines[first.head] ?? '') + markIn(syntax);
    const last = lines.slice(0, body.end).findLastIndex((line) => !isBlank(line)) + 1;
    marked.set(first.start, mark).set(last, marked.has(last) ? `${mark}\n${marked.get(last)}` : mark);
  }
  return [...lines, ''].flatMap((line, index) => [...(marked.get(index)?.split('\n') ?? []), line]).join('\n');
}
