import * as vscode from 'vscode';
import { textAttachment } from '../../../chat/context/textAttachment.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { baseName } from '../../../files/paths.ts';
import { lastLineOf } from '../../documents/activeEditor.ts';

/** The lines included before and after a place that is not in any symbol. */
const MARGIN = 10;
/** A larger file is not sent along with a part of it. */
const MAX_FILE_CHARACTERS = 40_000;

/** Whole lines of a document that a command works on. */
export interface CodePlace {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  readonly text: string;
  /** A label such as `quote.ts:3–20`. */
  readonly label: string;
}

/**
 * Returns the place of a selection; without one, the innermost function, class, or similar symbol around the cursor, or
 * else the whole file.
 */
export async function placeOfSelection(document: vscode.TextDocument, selection: vscode.Range): Promise<CodePlace> {
  if (!selection.isEmpty) return wholeLines(document, selection);
  return wholeLines(document, (await symbolAround(document, selection)) ?? allOf(document));
}

/** Returns the place in which a problem is fixed: the symbol around it, or else some lines. */
export async function placeOfProblem(document: vscode.TextDocument, problem: vscode.Range): Promise<CodePlace> {
  const from = new vscode.Position(Math.max(0, problem.start.line - MARGIN), 0);
  const to = new vscode.Position(problem.end.line + MARGIN, 0);
  return wholeLines(document, (await symbolAround(document, problem)) ?? new vscode.Range(from, to));
}

/** Returns the attachments for the model: the whole file, if it is short and more than the place, then the place. */
export function attachPlace({ document, range, text, label }: CodePlace): Attachment[] {
  const { languageId, uri } = document;
  const path = vscode.workspace.asRelativePath(uri);
  const place = textAttachment({ kind: 'selection', label, path, languageId, text });
  const file = document.getText();
  const isPart = !allOf(document).isEqual(range) && file.length <= MAX_FILE_CHARACTERS;
  if (!isPart) return [place];
  return [textAttachment({ kind: 'file', label: baseName(uri.path), path, languageId, text: file }), place];
}

function wholeLines(document: vscode.TextDocument, lines: vscode.Range): CodePlace {
  const range = document.validateRange(
    new vscode.Range(lines.start.line, 0, lastLineOf(lines), Number.MAX_SAFE_INTEGER),
  );
  const label = `${baseName(document.uri.path)}:${range.start.line + 1}–${range.end.line + 1}`;
  return { document, range, text: document.getText(range), label };
}

function allOf(document: vscode.TextDocument): vscode.Range {
  return document.validateRange(new vscode.Range(0, 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER));
}

const WORKED_ON: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Class,
  vscode.SymbolKind.Constructor,
  vscode.SymbolKind.Enum,
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Interface,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Struct,
]);

async function symbolAround({ uri }: vscode.TextDocument, place: vscode.Range): Promise<vscode.Range | undefined> {
  const symbols = await vscode.commands.executeCommand<
    (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', uri);
  return innermost(symbols ?? [], place);
}

/** Searches only `DocumentSymbol`s, because the older `SymbolInformation` does not have the symbol's full range. */
function innermost(
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  place: vscode.Range,
): vscode.Range | undefined {
  for (const symbol of symbols) {
    if (!('range' in symbol) || !symbol.range.contains(place)) continue;
    return innermost(symbol.children, place) ?? (WORKED_ON.has(symbol.kind) ? symbol.range : undefined);
  }
  return undefined;
}
