/**
 * The part of the editor's API that classes use when they are tested outside the editor. Nothing in it takes time, and
 * questions to the user are answered by {@link window}`.answer`.
 */
import { posix } from 'node:path';
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
  readonly authority = '';

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
    return uri.with({ path: posix.join(uri.path, ...names) });
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

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }

  translate(lines: number, characters: number): Position {
    return new Position(this.line + lines, this.character + characters);
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(
    ...ends:
      | readonly [start: Position, end: Position]
      | readonly [line: number, at: number, endLine: number, end: number]
  ) {
    const [start, end] = ends.length === 2 ? ends : [new Position(ends[0], ends[1]), new Position(ends[2], ends[3])];
    this.start = start;
    this.end = end;
  }

  contains({ line, character }: Position): boolean {
    const { start, end } = this;
    const isBefore = line < start.line || (line === start.line && character < start.character);
    return !isBefore && (line < end.line || (line === end.line && character <= end.character));
  }
}

export class InlineCompletionItem {
  readonly insertText: string;
  readonly range: Range;

  constructor(insertText: string, range: Range) {
    this.insertText = insertText;
    this.range = range;
  }
}

export class WorkspaceEdit {
  readonly replaced: { readonly range: Range; readonly text: string }[] = [];

  replace(_uri: Uri, range: Range, text: string): void {
    this.replaced.push({ range, text });
  }
}

export class FileSystemError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Never fires. */
const never = (): Disposable => ({ dispose: () => undefined });

type Question = (message: string, ...buttons: readonly unknown[]) => Promise<unknown>;

interface TerminalOptions {
  readonly hideFromUser?: boolean;
  readonly pty?: { open(): void };
}

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
  tabGroups: { all: [], close: async () => true },
  onDidCloseTerminal: never,
  createTerminal: ({ hideFromUser, pty }: TerminalOptions) => {
    if (hideFromUser) throw new Error('No program can be started.');
    pty?.open();
    return { show: () => undefined, dispose: () => undefined };
  },
  createWebviewPanel: (): unknown => {
    throw new Error('No page can be opened.');
  },
};

export const workspace = {
  isTrusted: true,
  workspaceFolders: [{ uri: new Uri('memory', '/workspace'), name: 'workspace', index: 0 }],
  textDocuments: [],
  notebookDocuments: [],
  asRelativePath: (uri: Uri | string) => {
    const path = typeof uri === 'string' ? uri : uri.path;
    const root = `${workspace.workspaceFolders[0]?.uri.path}/`;
    return path.startsWith(root) ? path.slice(root.length) : path;
  },
  getWorkspaceFolder: ({ path }: Uri) => workspace.workspaceFolders.find(({ uri }) => path.startsWith(uri.path)),
  getConfiguration: () => ({ get: <T>(_name: string, initial?: T) => initial }),
  createFileSystemWatcher: () => ({ onDidChange: never, onDidCreate: never, onDidDelete: never, dispose: never }),
  decode: async (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8'),
  encode: async (text: string): Promise<Uint8Array> => Buffer.from(text),
  onDidGrantWorkspaceTrust: never,
  onDidChangeWorkspaceFolders: never,
  onDidSaveTextDocument: never,
  onWillSaveTextDocument: never,
  onDidChangeTextDocument: never,
  onDidRenameFiles: never,
  registerTextDocumentContentProvider: never,
  applyEdit: async (_edit: WorkspaceEdit) => true,
  fs: { isWritableFileSystem: () => undefined },
};

export const ViewColumn = { Active: -1 };
export class ThemeIcon {}
export class RelativePattern {}
export class TabInputWebview {}
export const l10n = { bundle: undefined };
export const languages = { registerInlineCompletionItemProvider: never };
export const extensions = { getExtension: () => undefined };
export const commands = { executeCommand: async () => undefined };
export const env = {
  shell: '/bin/sh',
  clipboard: { writeText: async () => undefined },
  openExternal: async () => true,
};

/** An enumeration: each name has a number. */
function enumeration<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, number) => [name, number])) as Record<Name, number>;
}

export const DiagnosticSeverity = enumeration('Error', 'Warning', 'Information', 'Hint');
export const EndOfLine = { LF: 1, CRLF: 2 };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const InlineCompletionTriggerKind = enumeration('Invoke', 'Automatic');
export const SymbolKind = enumeration(
  ...['File', 'Module', 'Namespace', 'Package', 'Class', 'Method', 'Property', 'Field', 'Constructor', 'Enum'],
  ...['Interface', 'Function', 'Variable', 'Constant', 'String', 'Number', 'Boolean', 'Array', 'Object', 'Key'],
  ...['Null', 'EnumMember', 'Struct', 'Event', 'Operator', 'TypeParameter'],
);

/** Tells a tool that it is to stop. */
export class CancellationTokenSource {
  readonly abort = new AbortController();
  readonly token = this.abort.signal;

  cancel(): void {
    this.abort.abort();
  }

  dispose(): void {
    this.abort.abort();
  }
}

export class LanguageModelTextPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

type Tool = (input: object, signal: AbortSignal) => Promise<string>;

/** The tools of other extensions. */
export const lm = {
  tools: [] as readonly { readonly name: string; readonly description: string }[],
  called: {} as Readonly<Record<string, Tool>>,

  use(tools: Readonly<Record<string, Tool>>): void {
    lm.called = tools;
    lm.tools = Object.keys(tools).map((name) => ({ name, description: `The tool ${name}.` }));
  },

  async invokeTool(name: string, { input }: { readonly input: object }, signal: AbortSignal) {
    const result = await lm.called[name]?.(input, signal);
    return { content: [new LanguageModelTextPart(result ?? '')] };
  },
};
