/** IDs of calls, and names, in forms that strict services accept. The same ID always becomes the same one. */

const SHORT_ID = /^[A-Za-z0-9]{9}$/;
const ID_SPACE = 36n ** 9n;

export function isShortId(id: string): boolean {
  return SHORT_ID.test(id);
}

/** Returns an ID of nine letters and digits, the only form that some services accept. */
export function shortId(id: string): string {
  return isShortId(id) ? id : digest(id);
}

/** Returns the ID, or one that begins as it does if it is too long. */
export function shortened(id: string, maxLength: number): string {
  return id.length <= maxLength ? id : withDigest(id, id, maxLength);
}

/** Returns a name that stands for the whole one: it begins like `similar`, and ends with what {@link wholeName} needs. */
export function withDigest(similar: string, whole: string, maxLength: number): string {
  return `${similar.slice(0, maxLength - 10)}_${digest(whole)}`;
}

/** Returns which of the whole names a name from {@link withDigest} stands for. Any other name is returned as it is. */
export function wholeName(name: string, whole: Iterable<string>): string {
  const end = name.slice(-10);
  for (const each of whole) if (end === `_${digest(each)}`) return each;
  return name;
}

/** FNV-1a with 64 bits. */
function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of text) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  }
  return (hash % ID_SPACE).toString(36).padStart(9, '0');
}
