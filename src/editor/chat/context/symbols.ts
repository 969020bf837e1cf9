import * as vscode from 'vscode';
import { placeOfSelection } from '../../codeCommands/codePlace.ts';
import type { Attachment } from '../conversation/record.ts';
import type { ContextChoiceView } from '../protocol.ts';
import { baseName } from './paths.ts';
import { textAttachment } from './textAttachment.ts';

/** Language servers answer a shorter query with everything that they know. In characters. */
const MIN_QUERY = 2;
const MAX_SYMBOLS = 10;
const PREFIX = 'symbol:';
const FUNCTIONS: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Constructor,
]);

/** The symbols of the workspace that match what was typed, as the editor's languages know them. */
export class WorkspaceSymbols {
  /** Those that were offered last; a choice names one of them by its place. */
  #offered: readonly vscode.SymbolInformation[] = [];

  /** Of files outside the workspace, such as libraries, there are none. */
  async choices(query: string): Promise<readonly ContextChoiceView[]> {
    if (query.length < MIN_QUERY) return [];
    const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    );
    const ofWorkspace = (found ?? []).filter(
      ({ location }) => vscode.workspace.getWorkspaceFolder(location.uri) !== undefined,
    );
    this.#offered = ofWorkspace.slice(0, MAX_SYMBOLS);
    return this.#offered.map(({ name, kind, location }, place) => ({
      id: `${PREFIX}${place}:${name}`,
      kind: FUNCTIONS.has(kind) ? 'function' : 'symbol',
      label: name,
      detail: vscode.workspace.asRelativePath(location.uri),
    }));
  }

  /** @returns undefined when the choice is none of the symbols that were offered last. */
  find(choiceId: string): vscode.SymbolInformation | undefined {
    if (!choiceId.startsWith(PREFIX)) return undefined;
    const [place, name] = choiceId.slice(PREFIX.length).split(/:(.*)/, 2);
    const symbol = this.#offered[Number(place)];
    return symbol?.name === name ? symbol : undefined;
  }
}

/** The whole lines of a symbol. Some languages say only where its name is. */
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
