/**
 * The part of the editor's API that classes use when they are tested outside the editor. Nothing in it takes time, and
 * questions to the user are answered by {@link window}`.answer`.
 */
import { pathToFileURL } from 'node:url';

export interface Disposable {
  dispose(): unknown;
}

export const Disposable = {
  from: (...all: readonly Disposable[]): Disposable => ({
    dispose: () => {
      for (const one of all) one.dispose();
    },
  }),
};

type Listener<T> = (event: T) => unknown;

export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>();

  readonly event = (listener: Listener<T>): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class Uri {
  readonly scheme: string;
  readonly path: string;

  constructor(scheme: string, path: string) {
    this.scheme = scheme;
    this.path = path;
  }

  static file(path: string): Uri {
    return new Uri('file', path);
  }

  static parse(text: string): Uri {
    const { protocol, pathname } = new URL(text);
    return new Uri(protocol.slice(0, -1), decodeURIComponent(pathname));
  }

  static joinPath(uri: Uri, ...names: readonly string[]): Uri {
    return uri.with({ path: [uri.path, ...names].join('/') });
  }

  get fsPath(): string {
    return this.path;
  }

  with({ path = this.path }: { readonly path?: string }): Uri {
    return new Uri(this.scheme, path);
  }

  toString(): string {
    return this.scheme === 'file' ? pathToFileURL(this.path).href : `${this.scheme}:${this.path}`;
  }
}

/** Never fires. */
const never = (): Disposable => ({ dispose: () => undefined });

type Question = (message: string, ...buttons: readonly unknown[]) => Promise<unknown>;

/** What tests change. `answer` is the button that the user presses in the next messages. */
export const window = {
  answer: async (_message: string, _buttons: readonly unknown[]): Promise<unknown> => undefined,
  showWarningMessage: ((message, ...buttons) => window.answer(message, buttons)) as Question,
  showInformationMessage: ((message, ...buttons) => window.answer(message, buttons)) as Question,
  showErrorMessage: ((message, ...buttons) => window.answer(message, buttons)) as Question,
  setStatusBarMessage: never,
  onDidChangeActiveTextEditor: never,
  activeTextEditor: undefined,
  visibleTextEditors: [],
};

export const workspace = {
  isTrusted: true,
  workspaceFolders: [{ uri: Uri.file('/workspace'), name: 'workspace', index: 0 }],
  textDocuments: [],
  asRelativePath: (uri: Uri | string) => String(typeof uri === 'string' ? uri : uri.path).replace('/workspace/', ''),
  onDidGrantWorkspaceTrust: never,
  onDidChangeWorkspaceFolders: never,
  onDidSaveTextDocument: never,
  onDidChangeTextDocument: never,
  onDidRenameFiles: never,
};

export const commands = { executeCommand: async () => undefined };
export const env = { clipboard: { writeText: async () => undefined }, openExternal: async () => true };
