/** Questions about the items of a structure, and the marks among them. */
import type { Item, Level, Structure } from './structure.ts';

/** All items of a level, and those within them; if lines are given, only those that contain one of them. */
export function* itemsIn(level: Level, lines?: readonly number[]): Generator<Item> {
  for (const item of level.items) {
    const own = lines?.filter((line) => line >= item.start && line < item.end);
    if (own?.length === 0) continue;
    yield item;
    for (const body of item.bodies) yield* itemsIn(body, own);
  }
}

/** Whether a mark is directly before an item, and may stand for some of its comments and decorators. */
export function followsMark(item: Item): boolean {
  const { items } = item.level;
  const previous = items[items.indexOf(item) - 1];
  return previous?.end === item.start && (previous.isMark || endsWithMark(previous));
}

/** Whether an item ends with a mark. Without a sign for the end of the block, it may also stand for what follows the block. */
export function endsWithMark(item: Item | undefined): boolean {
  const body = item?.bodies.at(-1);
  if (body === undefined || body.end !== item?.end) return false;
  const last = body.items.at(-1);
  return last?.isMark === true || endsWithMark(last);
}

export function precedesMark(item: Item): boolean {
  const { items } = item.level;
  return items[items.indexOf(item) + 1]?.isMark === true;
}

/** Whether an item is an object, a rule of a style sheet, or the like: what it contains are members with names, in no function. */
export function isContainer({ lines }: Structure, { identity, head, bodies }: Item): boolean {
  const line = lines[head]?.trim() ?? '';
  // Selectors and conditions of style sheets have parentheses, too.
  const isFunction = /[()]|=>|\bdo\b/.test(line) && !/^[@.&:*>]/.test(line);
  if (isFunction || !/^(?:name |block |item |section \[)/.test(identity)) return false;
  const items = bodies.flatMap((body) => body.items.filter(({ isComment }) => !isComment));
  return items.length > 0 && items.every((item) => item.identity !== '');
}

/** The members of an item that have a name. */
export function membersOf({ bodies }: Item): readonly Item[] {
  return bodies.flatMap(({ items }) => items.filter(({ identity }) => identity !== ''));
}

/** Whether one version of an item lacks members that the file's has. */
export function lacksMembers(inFile: Item, inAnswer: Item): boolean {
  const shown = new Set(membersOf(inAnswer).map(({ identity }) => identity));
  return membersOf(inFile).some(({ identity }) => !shown.has(identity));
}

export function isImport(item: Item | undefined): boolean {
  return item?.identity.startsWith('import ') === true;
}
