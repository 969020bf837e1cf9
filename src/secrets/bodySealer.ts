import { isUtf8 } from 'node:buffer';
import { type JsonString, pathOf, readJsonStrings } from './jsonStrings.ts';
import type { LocatedSecret } from './locatedSecret.ts';
import { RequestText, textsIn } from './requestText.ts';
import { blocksOf, bordersOf, type SearchedBlock } from './searchedBlocks.ts';
import { type KnownSecret, type Occurrence, SecretTable } from './secretTable.ts';
import { containsStandIn, type StandIns } from './standIns.ts';

export interface SealerOptions {
  readonly standIns: StandIns;
  /** Searches texts with the rules. */
  readonly find: (texts: readonly string[]) => Promise<readonly (readonly LocatedSecret[])[]>;
}

export interface SealedBody {
  /** The given bytes if nothing was replaced. */
  readonly body: Buffer;
  /** Restores the secrets in the answer. */
  readonly table: SecretTable;
  /** Each once. */
  readonly secrets: readonly KnownSecret[];
  /** Whether the request demands that the model writes JSON. */
  readonly isStructured: boolean;
}

interface Found extends KnownSecret {
  readonly start: number;
  readonly end: number;
}

/** A replacement in the body. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Shorter texts are also parts of others, so they are only replaced where a rule has found them. */
const MIN_SOUGHT = 8;
/** Numbers and words are also parts of other texts. */
const COMMON = /^(?:[\d.,:-]{1,12}|[A-Za-z]{1,15})$/;
const KNOWN_BLOCKS = 20_000;

/**
 * Replaces the secrets in bodies with stand-ins. Everything else in a body stays as it is, byte by byte. Texts that were
 * searched before are not searched again.
 */
export class BodySealer {
  readonly #options: SealerOptions;
  readonly #found = new RecentMap<readonly Found[]>(KNOWN_BLOCKS);
  /** With the version of the table whose secrets were sought. */
  readonly #occurrences = new RecentMap<{ readonly version: string; readonly list: readonly Occurrence[] }>(
    KNOWN_BLOCKS,
  );

  constructor(options: SealerOptions) {
    this.#options = options;
  }

  /**
   * @param known secrets that are sought in addition to what the rules find.
   * @returns undefined if the body is not JSON in UTF-8, so that nobody can say what it contains.
   */
  async seal(body: Buffer, known: Iterable<KnownSecret> = []): Promise<SealedBody | undefined> {
    const source = isUtf8(body) ? body.toString() : undefined;
    const strings = source === undefined ? undefined : readJsonStrings(source);
    if (source === undefined || strings === undefined) return undefined;
    const texts = textsIn(source, strings);
    const sealed = await this.#seal(body, source, { texts, borders: bordersOf(strings, texts) }, known);
    return { ...sealed, isStructured: demandsJson(source, strings) };
  }

  /** Replaces the secrets in a text that is not JSON. */
  async sealText(text: string, known: Iterable<KnownSecret>): Promise<SealedBody> {
    const whole = new RequestText(text, 0, '', 0);
    return this.#seal(Buffer.from(text), text, { texts: [whole], borders: [] }, known);
  }

  async #seal(
    body: Buffer,
    source: string,
    { texts, borders }: { readonly texts: readonly RequestText[]; readonly borders: readonly SearchedBlock[] },
    known: Iterable<KnownSecret>,
  ): Promise<SealedBody> {
    const blocks = blocksOf(texts);
    const all = [...blocks, ...borders];
    await this.#search(all);
    const table = new SecretTable(this.#options.standIns);
    for (const secret of known) table.add(secret);
    for (const { id } of all) {
      for (const secret of this.#found.get(id) ?? []) if (isSought(secret.value)) table.add(secret);
    }
    const secrets = new Map<string, KnownSecret>();
    const inPlaces = (list: readonly SearchedBlock[]) =>
      list.flatMap((block) =>
        spansOf(block, this.#occurrencesIn(block, table)).map((span) => {
          secrets.set(span.secret.value, span.secret);
          return replace(block, span, table);
        }),
      );
    const replacements = withoutOverlaps(inPlaces(blocks), inPlaces(borders));
    const sealed = replacements.length === 0 ? body : Buffer.from(written(source, replacements));
    return { body: sealed, table, secrets: [...secrets.values()], isStructured: false };
  }

  /** Searches the blocks that are new. */
  async #search(blocks: readonly SearchedBlock[]): Promise<void> {
    const unknown = blocks.filter(({ id }) => this.#found.get(id) === undefined);
    if (unknown.length === 0) return;
    const found = await this.#options.find(unknown.map(({ text }) => text));
    for (const [at, block] of unknown.entries()) this.#found.set(block.id, secretsIn(block, found[at] ?? []));
  }

  /** Where a block has the secrets of the table, and what the rules have found in it. */
  #occurrencesIn(block: SearchedBlock, table: SecretTable): readonly Occurrence[] {
    const { version } = table;
    const known = this.#occurrences.get(block.id);
    if (known?.version === version) return known.list;
    const own = (this.#found.get(block.id) ?? []).map(({ start, end, ...secret }) => ({ start, end, secret }));
    const list = [...own, ...table.find(block.text)];
    this.#occurrences.set(block.id, { version, list });
    return list;
  }
}

/** Where the formats say which form an answer has. */
const FORM_PATHS: ReadonlySet<string> = new Set([
  'response_format.type',
  'text.format.type',
  'output_config.format.type',
  'output_format.type',
]);

function demandsJson(source: string, strings: readonly JsonString[]): boolean {
  return strings.some(
    (string) => string.name === 'type' && source.startsWith('json', string.start) && FORM_PATHS.has(pathOf(string)),
  );
}

function isSought(value: string): boolean {
  return value.length >= MIN_SOUGHT && !COMMON.test(value);
}

/** A match of a rule can reach into the next text. It ends where its text ends. */
function secretsIn(block: SearchedBlock, located: readonly LocatedSecret[]): Found[] {
  return located.flatMap(({ kind, start, end: to }) => {
    const part = block.parts.findLast(({ offset }) => offset <= start);
    if (part === undefined) return [];
    const end = block.isBorder ? to : Math.min(to, part.offset + part.length);
    const value = block.text.slice(start, end);
    return start >= end || value === '' || containsStandIn(value) ? [] : [{ kind, start, end, value }];
  });
}

/** Merges places that overlap, so that no rest of a secret remains. */
function spansOf(block: SearchedBlock, occurrences: readonly Occurrence[]): Occurrence[] {
  const spans: Occurrence[] = [];
  for (const each of occurrences.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = spans.at(-1);
    if (last === undefined || each.start >= last.end) spans.push(each);
    else if (each.end > last.end) spans[spans.length - 1] = { ...last, end: each.end };
  }
  if (spans.length === 0) return spans;
  return spans.filter(({ start, end }) => {
    const parts = block.parts.filter(({ offset, length }) => start < offset + length && end > offset);
    if (block.isBorder) return parts.length > 1;
    const [part] = parts;
    // Not in the name of a member, which is repeated in front of its text.
    return part !== undefined && parts.length === 1 && start >= part.offset && end <= part.offset + part.length;
  });
}

/** The stand-in replaces the first piece of a secret that is cut. Its other pieces are removed. */
function replace(block: SearchedBlock, { start, end }: Occurrence, table: SecretTable): Replacement[] {
  const standIn = table.standInFor(block.text.slice(start, end));
  const pieces = block.parts.filter(({ offset, length }) => start < offset + length && end > offset);
  return pieces.flatMap(({ of, from, offset, length }, at) => {
    const positions = [Math.max(0, start - offset), Math.min(length, end - offset)];
    const [first, last] = of.placesOf(positions.map((position) => from + position));
    return first === undefined || last === undefined
      ? []
      : [{ start: first, end: last, text: at === 0 ? standIn : '' }];
  });
}

/**
 * A secret at a border of two texts can contain what was found in one of them. Its pieces are replaced all, or none of
 * them.
 */
function withoutOverlaps(
  inTexts: readonly (readonly Replacement[])[],
  atBorders: readonly (readonly Replacement[])[],
): Replacement[] {
  if (atBorders.length === 0) return inTexts.flat();
  const kept = new Set(inTexts.flat());
  for (const pieces of atBorders) {
    const touched = [...kept].filter((each) =>
      pieces.some((piece) => each.start < piece.end && each.end > piece.start),
    );
    const covers = (each: Replacement) => pieces.some(({ start, end }) => start <= each.start && end >= each.end);
    if (!touched.every(covers)) continue;
    for (const each of touched) kept.delete(each);
    for (const piece of pieces) kept.add(piece);
  }
  return [...kept];
}

function written(source: string, replacements: readonly Replacement[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of replacements.toSorted((a, b) => a.start - b.start)) {
    pieces.push(source.slice(at, start), text);
    at = end;
  }
  pieces.push(source.slice(at));
  return pieces.join('');
}

/** A map that forgets entries that were not used for a long time. It holds at most `max` of them. */
class RecentMap<Value> {
  readonly #maxOfHalf: number;
  #recent = new Map<string, Value>();
  /** Entries that were not used since the other half was empty. */
  #older = new Map<string, Value>();

  constructor(max: number) {
    this.#maxOfHalf = Math.ceil(max / 2);
  }

  get(key: string): Value | undefined {
    const value = this.#recent.get(key);
    if (value !== undefined) return value;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: Value): void {
    this.#recent.set(key, value);
    if (this.#recent.size < this.#maxOfHalf) return;
    this.#older = this.#recent;
    this.#recent = new Map();
  }
}
