import { replaceKeys } from '../../../secrets/keyReplacement.ts';

/** The text that replaces a key. */
const REDACTED = '[redacted]';

/** The home folders of any user, as they occur in stack traces and commands. */
const HOME_FOLDERS = /(?:\/(?:home|Users)\/|\b[A-Za-z]:[\\/]+Users[\\/]+)[^\\/\s"'`:<>|]+/g;

export interface RedactionChoice {
  readonly keys: boolean;
  /** Replaces paths of this machine: workspace folders with their names, home folders with `~`. */
  readonly paths: boolean;
}

/** The names of the window's workspace folders, by their paths on this machine. */
export type FolderNames = ReadonlyMap<string, string>;

/** Removes from texts what the user does not want to share, and counts it. */
export class Redaction {
  readonly #choice: RedactionChoice;
  readonly #folders: readonly (readonly [path: string, name: string])[];
  /** The number of keys and paths that were removed. */
  readonly count = { keys: 0, paths: 0 };

  constructor(choice: RedactionChoice, folders: FolderNames) {
    this.#choice = choice;
    // Longer paths first, because a folder may be inside another one.
    this.#folders = [...folders].filter(([path]) => path.length > 1).sort(([a], [b]) => b.length - a.length);
  }

  readonly redact = (text: string): string => {
    const withoutKeys = this.#choice.keys ? this.#redactKeys(text) : text;
    return this.#choice.paths ? this.#redactPaths(withoutKeys) : withoutKeys;
  };

  #redactKeys(text: string): string {
    const replaced = replaceKeys(text, REDACTED);
    this.count.keys += replaced.count;
    return replaced.text;
  }

  #redactPaths(text: string): string {
    let redacted = text;
    for (const [path, name] of this.#folders) {
      const parts = redacted.split(path);
      this.count.paths += parts.length - 1;
      redacted = parts.join(name);
    }
    return redacted.replaceAll(HOME_FOLDERS, () => {
      this.count.paths += 1;
      return '~';
    });
  }
}
