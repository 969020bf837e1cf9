import { replaceKeys } from '../../../secrets/keyReplacement.ts';

const MASK = '••••••••';

/** Stands for the tool's local key wherever it is shown. */
export const MASKED_KEY = `key_${MASK}`;

/** A value behind a name that keys and passwords have. Shorter ones are words such as `none`. */
const NAMED =
  /(?<name>(?:key|token|secret|passw(?:or)?d|authorization|credentials?)["']?\s*[:=]\s*["']?(?:bearer\s+)?)(?<value>[^\s"',}]{8,})/gi;
const IN_ADDRESS = /(?<before>:\/\/[^\s:@/]+:)[^\s@/]+(?=@)/g;

/** A line of a person's file without the keys and passwords in it: the file may have some of other services. */
export function maskedLine(line: string): string {
  return replaceKeys(line, MASK)
    .text.replace(IN_ADDRESS, `$<before>${MASK}`)
    .replace(NAMED, (match, name: string, value: string) => (value.includes(MASK) ? match : name + MASK));
}
