/** Where an answer can be read in several ways, so that the user has to decide. */
import type { ItemMatcher } from './itemMatching.ts';
import type { Item, Level, Structure } from './structure.ts';

export class UncertainMerge extends Error {}

/** Two items of the same name are told apart by so much more of their lines. */
const CLEARLY_ALIKE = 0.2;

export class Doubts {
  readonly #file: Structure;
  readonly #answer: Structure;
  readonly #matcher: ItemMatcher;

  constructor(file: Structure, answer: Structure, matcher: ItemMatcher) {
    this.#file = file;
    this.#answer = answer;
    this.#matcher = matcher;
  }

  /**
   * Several items of a level may have the same name.
   * @throws {UncertainMerge} if another one than the matching one may be meant, or if an item that is new may be another
   * version of one that is elsewhere in the level.
   */
  refuseAmbiguous({ items }: Level, shown: readonly Item[], matches: readonly number[]): void {
    const byIdentity = Map.groupBy(items, ({ identity }) => identity);
    for (const [index, inAnswer] of shown.entries()) {
      if (inAnswer.identity === '' || inAnswer.identity.startsWith('import ')) continue;
      const candidates = byIdentity.get(inAnswer.identity) ?? [];
      const matched = items[matches[index] ?? -1];
      const others = candidates.filter((item) => item !== matched && !matches.includes(items.indexOf(item)));
      if (matched === undefined) {
        if (others.length > 0) throw new UncertainMerge();
        continue;
      }
      if (this.#matcher.areEqual(matched, inAnswer)) continue;
      const isOtherKind = (matched.bodies.length === 0) !== (inAnswer.bodies.length === 0);
      const isMarked = shown.some(({ isMark }) => isMark);
      if (isOtherKind && isMarked && inAnswer.shortHead === undefined) throw new UncertainMerge();
      const likeness = this.#matcher.alikeness(matched, inAnswer);
      const isAnother = others.some((item) => likeness - this.#matcher.alikeness(item, inAnswer) < CLEARLY_ALIKE);
      if (isAnother && (isMarked || inAnswer.bodies.length > 0)) throw new UncertainMerge();
      // It may be an overload that is added.
      const differs = matched.bodies.length > 0 && !this.#matcher.hasSameHead(matched, inAnswer);
      if (
        this.#file.syntax.hasOverloads &&
        differs &&
        likeness < CLEARLY_ALIKE &&
        inAnswer.identity.startsWith('name ')
      ) {
        throw new UncertainMerge();
      }
    }
  }

  /**
   * An answer that shows no member as it is, and lacks others, is likelier abridged than complete.
   * @throws {UncertainMerge} if it is such an answer.
   */
  refuseAbridged(inFile: Item, inAnswer: Item): void {
    const ends = (line = '') => /(?:[\]};,]|\bend)\s*$/.test(line);
    const isClosed = ({ lines }: Structure, { bodies, end }: Item) =>
      bodies.at(-1)?.end !== end && ends(lines[end - 1]);
    const isBlock = inFile.bodies.length > 0;
    if (isBlock && isClosed(this.#file, inFile) && !isClosed(this.#answer, inAnswer)) throw new UncertainMerge();
    if (!/^(?:type|call) /.test(inFile.identity)) return;
    const members = (item: Item) => item.bodies.flatMap(({ items }) => items.filter(({ identity }) => identity !== ''));
    const shown = new Map(members(inAnswer).map((item) => [item.identity, item]));
    const missing = members(inFile).filter(({ identity }) => !shown.has(identity));
    const same = members(inFile).filter((item) => {
      const other = shown.get(item.identity);
      return other !== undefined && this.#matcher.areEqual(item, other);
    });
    if (missing.length > 0 && same.length === 0) throw new UncertainMerge();
  }
}
