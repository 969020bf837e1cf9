import * as vscode from 'vscode';
import { baseName } from '../../files/paths.ts';
import { BoundedMap } from '../../rules/boundedMap.ts';
import type { Hole, RelatedText } from '../../suggestions/prompt.ts';
import { type CursorContext, linePrefix, textAround } from '../../suggestions/text/place.ts';
import { calledBefore, declarationsOf, importsOf } from '../../suggestions/text/signatures.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import { Guard, hasKey } from '../chat/guard/guard.ts';

/** The shares of the tokens of a request. What the text around the cursor does not need goes to other files. */
const SHARES = { before: 0.6, after: 0.2 };
const MAX_FILES = 3;
/** No signatures are read from a longer file. */
const MAX_LINES = 4_000;
const MAX_DECLARATION_LINES = 12;
/** The editor's language features may not delay a suggestion for longer. In milliseconds. */
const MAX_LOOKUP_MS = 80;
/** How long the rules for a file are remembered, in milliseconds. */
const VERDICT_MS = 30_000;
const MAX_REMEMBERED = 200;

/** Reads what a request may say about a cursor. Never more of a document than it needs, because some are megabytes long. */
export class DocumentContext {
  /** The oldest first. */
  readonly #edited = new BoundedMap<string, vscode.TextDocument>(MAX_FILES * 3);
  readonly #verdicts = new BoundedMap<string, { readonly until: number; readonly isShared: Promise<boolean> }>(
    MAX_REMEMBERED,
  );
  readonly #signatures = new WeakMap<vscode.TextDocument, { readonly version: number; readonly text: string }>();

  /** Remembers that a document was edited recently. */
  edited(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    this.#edited.set(key, document);
  }

  placeAt(document: vscode.TextDocument, position: vscode.Position, tokens: number): CursorContext {
    const lines = { count: document.lineCount, at: (line: number) => document.lineAt(line).text };
    const budget = { before: tokens * SHARES.before, after: tokens * SHARES.after };
    return {
      path: vscode.workspace.asRelativePath(fileOf(document).uri, false),
      languageId: document.languageId,
      indentUnit: indentUnitIn(document),
      ...textAround(lines, position, budget, estimateTokens),
    };
  }

  /** Whether text of the document may be sent: it is neither ignored nor a file for keys. */
  mayShare(document: vscode.TextDocument): Promise<boolean> {
    const file = fileOf(document);
    if (file.isUntitled) return Promise.resolve(true);
    const key = file.uri.toString();
    const [known, now] = [this.#verdicts.get(key), Date.now()];
    if (known !== undefined && known.until > now) return known.isShared;
    const isShared = new Guard().check(file.uri).then(
      ({ finding }) => finding === undefined,
      // A file that cannot be checked is not sent.
      () => false,
    );
    this.#verdicts.set(key, { until: now + VERDICT_MS, isShared });
    return isShared;
  }

  /** Adds what other files say. Returns undefined if any of it looks like it contains a key. */
  async holeAt(
    document: vscode.TextDocument,
    position: vscode.Position,
    place: CursorContext,
    tokens: number,
  ): Promise<Hole | undefined> {
    const left = tokens - estimateTokens(place.before) - estimateTokens(place.after);
    const [declaration, others] = await Promise.all([
      this.#declarationAt(document, position, place),
      this.#others(document, place),
    ]);
    const related = withinBudget([...this.#ownImports(document, position, place), ...declaration, ...others], left);
    const sent = [place.before, place.after, ...related.map(({ text }) => text)].join('\n');
    return (await hasKey(sent)) ? undefined : { place, related };
  }

  /** The imports of the file, if the text before the cursor does not reach back to them. */
  #ownImports(
    document: vscode.TextDocument,
    position: vscode.Position,
    { path, before }: CursorContext,
  ): RelatedText[] {
    const first = position.line - before.split('\n').length + 1;
    const imports = importsOf(linesOf(document, Math.min(first, 60)));
    return imports.length === 0 ? [] : [{ path, text: imports.join('\n') }];
  }

  /** The declaration of the function whose arguments are being written. */
  async #declarationAt(
    document: vscode.TextDocument,
    position: vscode.Position,
    place: CursorContext,
  ): Promise<RelatedText[]> {
    const called = calledBefore(linePrefix(place));
    if (called === undefined) return [];
    const prefixStart = position.character - linePrefix(place).length;
    const at = new vscode.Position(position.line, prefixStart + called.at);
    const lookup = vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[] | undefined>(
      'vscode.executeDefinitionProvider',
      document.uri,
      at,
    );
    const [found] = (await within(MAX_LOOKUP_MS, lookup)) ?? [];
    if (found === undefined) return [];
    const [uri, range] = 'targetUri' in found ? [found.targetUri, found.targetRange] : [found.uri, found.range];
    const target = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (target === undefined || !(await this.mayShare(target))) return [];
    const isVisible = target === document && Math.abs(range.start.line - position.line) < 20;
    return isVisible ? [] : [{ path: vscode.workspace.asRelativePath(uri, false), text: declarationIn(target, range) }];
  }

  /** The imports and signatures of other open files: first the imported ones, then those edited last. */
  async #others(document: vscode.TextDocument, { before }: CursorContext): Promise<RelatedText[]> {
    const imports = importsOf([...linesOf(document, 60), ...before.split('\n')]).join('\n');
    const recent = [...this.#edited.keys()].reverse();
    const rank = ({ uri }: vscode.TextDocument) => {
      const isImported = imports.includes(baseName(uri.path).replace(/\.[^.]+$/, ''));
      const at = recent.indexOf(uri.toString());
      return (isImported ? 0 : 1_000) + (at === -1 ? 100 : at);
    };
    const candidates = vscode.workspace.textDocuments
      .filter((each) => each !== document && !each.isClosed && isRelated(each, document))
      .toSorted((a, b) => rank(a) - rank(b))
      .slice(0, MAX_FILES);
    const shared = await Promise.all(candidates.map((each) => this.mayShare(each)));
    return candidates
      .filter((_, index) => shared[index])
      .map((each) => ({ path: vscode.workspace.asRelativePath(each.uri, false), text: this.#signaturesOf(each) }))
      .filter(({ text }) => text !== '');
  }

  #signaturesOf(document: vscode.TextDocument): string {
    const known = this.#signatures.get(document);
    if (known?.version === document.version) return known.text;
    const lines = linesOf(document, document.lineCount);
    const text = [...importsOf(lines), ...declarationsOf(lines)].join('\n');
    this.#signatures.set(document, { version: document.version, text });
    return text;
  }
}

/** What a document is saved in: itself, or the notebook that it is a cell of. */
function fileOf(document: vscode.TextDocument): { readonly uri: vscode.Uri; readonly isUntitled: boolean } {
  if (document.uri.scheme !== 'vscode-notebook-cell') return document;
  const isOfCell = (notebook: vscode.NotebookDocument) =>
    notebook.getCells().some((cell) => cell.document === document);
  return vscode.workspace.notebookDocuments.find(isOfCell) ?? document;
}

/** What the Tab key inserts in the document; undefined if no editor shows it. */
function indentUnitIn(document: vscode.TextDocument): string | undefined {
  const options = vscode.window.visibleTextEditors.find((editor) => editor.document === document)?.options;
  if (options === undefined) return undefined;
  if (options.insertSpaces === false) return '\t';
  const size = options.indentSize === 'tabSize' ? options.tabSize : options.indentSize;
  return typeof size === 'number' ? ' '.repeat(size) : undefined;
}

function isRelated(other: vscode.TextDocument, document: vscode.TextDocument): boolean {
  if (other.uri.scheme !== 'file' || other.lineCount > MAX_LINES) return false;
  const family = (id: string) => id.replace(/react$/, '').replace('javascript', 'typescript');
  return family(other.languageId) === family(document.languageId);
}

function linesOf(document: vscode.TextDocument, count: number): string[] {
  const length = Math.max(0, Math.min(count, document.lineCount));
  return Array.from({ length }, (_, line) => document.lineAt(line).text.slice(0, 500));
}

/** The lines of a declaration, or the ones at its name if only that is known. */
function declarationIn(document: vscode.TextDocument, { start, end }: vscode.Range): string {
  const last = Math.min(
    document.lineCount - 1,
    Math.max(end.line, start.line + 2),
    start.line + MAX_DECLARATION_LINES - 1,
  );
  const text = document.getText(new vscode.Range(start.line, 0, last, 500));
  return text.replaceAll('\r\n', '\n');
}

/** Takes texts as long as their tokens fit. A text that is too long is shortened by lines. */
function withinBudget(texts: readonly RelatedText[], tokens: number): RelatedText[] {
  const taken: RelatedText[] = [];
  let left = tokens;
  for (const { path, text } of texts) {
    const lines = text.split('\n');
    while (lines.length > 0 && estimateTokens(`${path}\n${lines.join('\n')}`) > left) {
      lines.length = lines.length > 8 ? Math.floor(lines.length * 0.7) : lines.length - 1;
    }
    if (lines.length === 0) continue;
    taken.push({ path, text: lines.join('\n') });
    left -= estimateTokens(`${path}\n${lines.join('\n')}`);
  }
  return taken;
}

/** Undefined if the promise takes longer or fails: language features of other extensions may do both. */
async function within<T>(limitMs: number, promise: Thenable<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([Promise.resolve(promise).catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
