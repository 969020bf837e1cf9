import { replaceKeys } from '../../../secrets/keyReplacement.ts';

const MASK = '••••••••';

/** Shown in place of the tool's local key. */
export const MASKED_KEY = `key_${MASK}`;

/** A value after a name that is typical of keys and passwords. Shorter values are words such as `none`. */
const NAMED =
  /(?<name>(?:key|token|secret|passw(?:or)?d|authorization|credentials?)["']?\s*[:=]\s*["']?(?:bearer\s+)?)(?<value>[^\s"',}]{8,})/gi;
const IN_ADDRESS = /(?<before>:\/\/[^\s:@/]+:)[^\s@/]+(?=@)/g;

/** Masks keys and passwords in a line of the user's file, which may contain those of other services. */
export function maskedLine(line: string): string {
  return replaceKeys(line, MASK)
    .text.replace(IN_ADDRESS, `$<before>${MASK}`)
    .replace(NAMED, (match, name: string, value: string) => (value.includes(MASK) ? match : name + MASK));
}
