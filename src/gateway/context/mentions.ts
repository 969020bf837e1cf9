/** Words that name something: with a capital inside, an underscore, a digit, or the ending of a file. */
const SYMBOL = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|\d{3,}/g;
const DISTINCT = /[a-z][A-Z]|_|\d|\.\w/;
const QUOTED = /`([^`\n]{3,80})`/g;
const MIN_LENGTH = 4;
/** Further words of one answer are not looked for. */
const MAX_SYMBOLS = 200;

/** Returns the symbols and file names that an answer mentions. */
export function symbolsOf(text: string, isCall: boolean): readonly string[] {
  const found = new Set<string>();
  for (const [word] of text.matchAll(SYMBOL)) {
    if (word.length >= MIN_LENGTH && (isCall || DISTINCT.test(word))) found.add(word);
    if (found.size >= MAX_SYMBOLS) return [...found];
  }
  // In quotation marks for code, also an ordinary word is a name.
  for (const [, quoted = ''] of text.matchAll(QUOTED)) {
    for (const [word] of quoted.matchAll(SYMBOL)) if (word.length >= MIN_LENGTH) found.add(word);
  }
  return [...found].slice(0, MAX_SYMBOLS);
}

/** The values of a call's arguments without the names of its members, of paths only the last part. */
export function saidByCall(args: string): string {
  return args.replaceAll(/"[\w-]+"\s*:/g, ' ').replaceAll(/[\w.~-]*[\\/](?=[\w.-])/g, ' ');
}

/** Returns the last part of a path, or the whole name of a program. */
export function baseName(target: string): string {
  return target.split(/[\\/]/).at(-1) ?? target;
}
