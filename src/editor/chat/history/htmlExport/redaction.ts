import { replaceKeys } from '../../../../secrets/keyReplacement.ts';

/** What replaces a key. */
const REDACTED = '[redacted]';

/** Home folders of any user, as stack traces and commands name them. */
const HOME_FOLDERS = /(?:\/(?:home|Users)\/|\b[A-Za-z]:[\\/]+Users[\\/]+)[^\\/\s"'`:<>|]+/g;

export interface RedactionChoice {
  readonly keys: boolean;
  /** Places on this machine: workspace folders become their names, home folders `~`. */
  readonly paths: boolean;
}

/** The workspace folders of the window, as their paths on this machine, with their names. */
export type FolderNames = ReadonlyMap<string, string>;

/** Takes out of texts what a person does not want to share, and counts it. */
export class Redaction {
  readonly #choice: RedactionChoice;
  readonly #folders: readonly (readonly [path: string, name: string])[];
  /** How many keys and paths were taken out. */
  readonly count = { keys: 0, paths: 0 };

  constructor(choice: RedactionChoice, folders: FolderNames) {
    this.#choice = choice;
    // A folder inside another one has the longer path.
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
