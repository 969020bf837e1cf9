import * as vscode from 'vscode';
import { textAttachment } from '../../../chat/context/textAttachment.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { baseName } from '../../../files/paths.ts';
import { defined } from '../../../formats/json.ts';
import type { ContextChoiceView } from '../../../pages/chat/protocol.ts';
import { estimateTokens } from '../../../tokens/estimate.ts';
import { readTextIfFound } from '../../documents/ifFound.ts';
import { placeOfSelection } from './codePlace.ts';

/** For a shorter query, language servers return every symbol. In characters. */
const MIN_QUERY = 2;
const MAX_SYMBOLS = 10;
const PREFIX = 'symbol:';
const FUNCTIONS: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Constructor,
]);

/** The workspace's symbols that match the query, from the editor's language features. */
export class WorkspaceSymbols {
  /** The symbols that were offered last. A choice refers to one of them by its index. */
  #offered: readonly vscode.SymbolInformation[] = [];

  /** Symbols of files outside the workspace, such as libraries, are not offered. */
  async choices(query: string): Promise<readonly ContextChoiceView[]> {
    if (query.length < MIN_QUERY) return [];
    const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    );
    const ofWorkspace = (found ?? []).filter(
      ({ location }) => vscode.workspace.getWorkspaceFolder(location.uri) !== undefined,
    );
    const offered = ofWorkspace.slice(0, MAX_SYMBOLS);
    const tokens = await Promise.all(offered.map(tokensOf));
    this.#offered = offered;
    return offered.map(({ name, kind, location }, place) => ({
      id: `${PREFIX}${place}:${name}`,
      kind: FUNCTIONS.has(kind) ? 'function' : 'symbol',
      group: 'symbols',
      label: name,
      detail: `${vscode.workspace.asRelativePath(location.uri)}:${location.range.start.line + 1}`,
      ...defined({ tokens: tokens[place] }),
    }));
  }

  /** Returns undefined if the choice is not one of the symbols that were offered last. */
  find(choiceId: string): vscode.SymbolInformation | undefined {
    if (!choiceId.startsWith(PREFIX)) return undefined;
    const [place, name] = choiceId.slice(PREFIX.length).split(/:(.*)/, 2);
    const symbol = this.#offered[Number(place)];
    return symbol?.name === name ? symbol : undefined;
  }
}

/**
 * Estimates the tokens of a symbol's lines from the saved file: to open each file would start its language features.
 * Returns undefined if only the range of the name is known.
 */
async function tokensOf({ location: { uri, range } }: vscode.SymbolInformation): Promise<number | undefined> {
  if (range.isSingleLine) return undefined;
  const lines = (await readTextIfFound(uri))?.split('\n').slice(range.start.line, range.end.line + 1);
  return lines && estimateTokens(lines.join('\n'));
}

/** Attaches the whole lines of a symbol. Some languages report only the range of its name. */
export async function attachSymbol(
  document: vscode.TextDocument,
  { location: { range } }: vscode.SymbolInformation,
): Promise<Attachment> {
  const named = range.isSingleLine ? new vscode.Range(range.start, range.start) : range;
  const { text, range: lines } = await placeOfSelection(document, named);
  const { uri, languageId } = document;
  const label = `${baseName(uri.path)}:${lines.start.line + 1}–${lines.end.line + 1}`;
  return textAttachment({ kind: 'selection', label, path: vscode.workspace.asRelativePath(uri), languageId, text });
}
