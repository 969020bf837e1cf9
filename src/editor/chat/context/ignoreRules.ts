import ignore, { type Ignore } from 'ignore';

/** Gives the text of a file of the workspace folder by its path there, or undefined when there is none. */
export type ReadText = (path: string) => Promise<string | undefined>;

const GITIGNORE = '.gitignore';
/** Rules of this clone alone, with less to say than any `.gitignore`. */
const EXCLUDE = '.git/info/exclude';

/** What git leaves out of a folder by files in it. Paths are relative, with `/`. */
export class IgnoreRules {
  readonly #read: ReadText;
  readonly #rules = new Map<string, Promise<Ignore | undefined>>();

  constructor(read: ReadText) {
    this.#read = read;
  }

  /**
   * The path of the file whose rules leave this path out, or undefined when none does; folders end with `/`. As git
   * has it: a deeper file has the last word, but nothing below a folder that is left out comes back.
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

/** The pattern of the `files.exclude` setting that hides this path, if any. Those that hold on a condition are none. */
export function excludedBy(path: string, setting: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(setting).find(
    (pattern) => setting[pattern] === true && ignore().add(withoutBraces(pattern)).ignores(path),
  );
}

/** The editor's `{a,b}` as patterns of their own, since `.gitignore` has no such thing. */
function withoutBraces(pattern: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern);
  if (braces === null) return [pattern];
  const [before, after] = [pattern.slice(0, braces.index), pattern.slice(braces.index + braces[0].length)];
  return (braces[1] ?? '').split(',').flatMap((choice) => withoutBraces(`${before}${choice}${after}`));
}
