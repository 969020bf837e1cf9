/** What happens to the items of a file between two that an answer shows. */
import { UncertainMerge } from './doubts.ts';
import { endsWithMark, membersOf } from './items.ts';
import type { Item, Level } from './structure.ts';

/** A run of new items of the answer, and the items of the file that are between the same neighbors. */
export interface Gap {
  readonly added: readonly Item[];
  readonly between: readonly Item[];
  /** The items of the file around them. */
  readonly neighbors: readonly [Item | undefined, Item | undefined];
  /** The item of the answer before the new ones. */
  readonly previous: Item | undefined;
  /** Whether an end of the level is one of the neighbors. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isOpen: boolean;
  readonly isMarked: boolean;
}

/** Where new items go of which the answer shows only that they are among others, and what they can follow. */
export interface OpenPlace {
  /** The number of the others that follow them; members without a block follow such. */
  readonly before: number;
  /** For each run of new items, what they follow now, undefined for the beginning of the file, and the number of the others. */
  readonly runs: { readonly previous: Item | undefined; readonly count: number }[];
}

/** What of the lines between two neighbors stays, although the answer shows the neighbors beside each other. */
export function unshownItems(
  level: Level,
  { between, neighbors, previous, added, isFirst, isLast, isOpen, isMarked }: Gap,
): readonly Item[] {
  if (endsWithMark(previous)) return between;
  const isNamed = ({ identity, bodies }: Item) => identity !== '' && (bodies.length > 0 || isMember(level));
  if (isMarked && (isFirst || isLast) && isMember(level)) {
    // An answer that shows a method often begins with it, and says nothing about the fields before it.
    if (between.some(({ bodies }) => bodies.length > 0)) throw new UncertainMerge();
    return between;
  }
  if (isMarked && (isFirst || isLast) && between.some(isNamed)) throw new UncertainMerge();
  // An answer that omits lines elsewhere may as well omit a key here.
  if (!isOpen && !isMarked && between.some(({ identity }) => identity !== '')) throw new UncertainMerge();
  if (isMarked || !isOpen) return [];
  const isDefinition = (item: Item | undefined) => item !== undefined && item.identity !== '' && item.bodies.length > 0;
  // An answer that shows several functions says nothing about what is between them, unlike one that shows statements.
  const stays = neighbors.some(isDefinition) ? between : between.filter(isNamed);
  if (between.length - stays.length > added.length + 4) throw new UncertainMerge();
  return stays;
}

/** Where members are, a missing one is not a removed statement. */
function isMember({ owner }: Level): boolean {
  return owner === undefined || /^type /.test(owner.identity);
}

/** Whether an answer shows the comments of some keys and lacks those of others, which it did not change. */
export function omitsComments(inFile: Item, inAnswer: Item): boolean {
  const shown = new Map(membersOf(inAnswer).map((item) => [item.identity, item]));
  const pairs = membersOf(inFile).flatMap((item) => {
    const other = shown.get(item.identity);
    return other === undefined ? [] : [{ item, other }];
  });
  const hasComment = ({ start, head }: Item) => head > start;
  const isOmitted = pairs.some(({ item, other }) => hasComment(item) && !hasComment(other));
  const isShown = pairs.some(({ other }) => hasComment(other));
  return (isOmitted && isShown) || pairs.some(({ item, other }) => omitsComments(item, other));
}
