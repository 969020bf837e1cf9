import ignore, { type Ignore } from 'ignore';

/** Reads a file of the workspace folder by its path in the folder; undefined if it does not exist. */
export type ReadText = (path: string) => Promise<string | undefined>;

const GITIGNORE = '.gitignore';
/** The rules of this clone only. They have a lower precedence than any `.gitignore`. */
const EXCLUDE = '.git/info/exclude';

/** The rules by which Git ignores files in a folder. Paths are relative, with `/`. */
export class IgnoreRules {
  readonly #read: ReadText;
  readonly #rules = new Map<string, Promise<Ignore | undefined>>();

  constructor(read: ReadText) {
    this.#read = read;
  }

  /**
   * Returns the path of the file whose rules ignore this path, or undefined if none does. Folders end with `/`. As in
   * Git, a deeper file takes precedence, but nothing below an ignored folder can be included again.
   */
  async matching(path: string): Promise<string | undefined> {
    const parts = path.replace(/\/$/, '').split('/');
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const isFile = depth === parts.length && !path.endsWith('/');
      const found = await this.#matchingOne(parts.slice(0, depth), isFile ? '' : '/');
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #matchingOne(parts: readonly string[], end: '' | '/'): Promise<string | undefined> {
    const files = parts.map((_, depth) => ({ depth, file: [...parts.slice(0, depth), GITIGNORE].join('/') }));
    let found: string | undefined;
    for (const { depth, file } of [{ depth: 0, file: EXCLUDE }, ...files]) {
      const result = (await this.#rulesIn(file))?.test(`${parts.slice(depth).join('/')}${end}`);
      if (result?.ignored) found = file;
      else if (result?.unignored) found = undefined;
    }
    return found;
  }

  #rulesIn(file: string): Promise<Ignore | undefined> {
    const known = this.#rules.get(file);
    if (known !== undefined) return known;
    const rules = this.#read(file).then((text) => (text === undefined ? undefined : ignore().add(text)));
    this.#rules.set(file, rules);
    return rules;
  }
}

/**
 * Returns the pattern of the `files.exclude` setting that hides this path, if any. Conditional patterns are not
 * considered.
 */
export function excludedBy(path: string, setting: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(setting).find(
    (pattern) => setting[pattern] === true && ignore().add(withoutBraces(pattern)).ignores(path),
  );
}

/** Expands the editor's `{a,b}` to separate patterns, since `.gitignore` does not support braces. */
function withoutBraces(pattern: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern);
  if (braces === null) return [pattern];
  const [before, after] = [pattern.slice(0, braces.index), pattern.slice(braces.index + braces[0].length)];
  return (braces[1] ?? '').split(',').flatMap((choice) => withoutBraces(`${before}${choice}${after}`));
}
