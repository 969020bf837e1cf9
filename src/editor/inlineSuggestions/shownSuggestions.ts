import * as vscode from 'vscode';
import type { InlineSuggestion } from '../../suggestions/text/placed.ts';

/** A cursor with the text of its line, by which it is recognized later. */
export interface Anchor {
  readonly uri: string;
  readonly line: number;
  readonly prefix: string;
  readonly suffix: string;
}

interface ShownAt extends Anchor {
  readonly suggestions: readonly InlineSuggestion[];
  /** Whether it was counted as accepted. */
  isAccepted: boolean;
}

const MAX_REMEMBERED = 5;
/** How long a dismissed suggestion does not come back at its place, in milliseconds. */
const DISMISSED_MS = 60_000;

/** The suggestions of the last places, so that typing along one, or going back, needs no request. */
export class ShownSuggestions {
  /** The oldest first. */
  #shown: readonly ShownAt[] = [];
  #dismissed: { readonly anchor: Anchor; readonly at: number } | undefined;
  #current: Anchor | undefined;

  add(anchor: Anchor, suggestions: readonly InlineSuggestion[]): void {
    this.#shown = [...this.#shown, { ...anchor, suggestions, isAccepted: false }].slice(-MAX_REMEMBERED);
    this.#current = anchor;
  }

  /** What is left of suggestions for a place after it was typed along, the latest first. */
  along(document: vscode.TextDocument, position: vscode.Position): readonly InlineSuggestion[] {
    const anchor = anchorAt(document, position);
    for (const shown of this.#shown.toReversed()) {
      const typed = typedSince(shown, document, position);
      if (typed === undefined) continue;
      const rest = shown.suggestions.filter(({ text }) => text.startsWith(typed) && text.length > typed.length);
      if (rest.length === 0) continue;
      this.#current = anchor;
      return rest.map(({ text, replaced }) => ({ text: text.slice(typed.length), replaced }));
    }
    return [];
  }

  /**
   * Whether a change has accepted a suggestion or a part of it, for the first time. The editor does not tell which words of
   * a suggestion were accepted, but keys insert one character each.
   */
  isAccepted(document: vscode.TextDocument, change: vscode.TextDocumentContentChangeEvent): boolean {
    const { text, range } = change;
    const shown = this.#shown.at(-1);
    if (shown === undefined || shown.isAccepted || text.trim().length < 2 || shown.line > range.start.line)
      return false;
    if (document.uri.toString() !== shown.uri || !document.lineAt(shown.line).text.startsWith(shown.prefix))
      return false;
    const end = document.positionAt(change.rangeOffset + text.length);
    const typed = document.getText(new vscode.Range(shown.line, shown.prefix.length, end.line, end.character));
    shown.isAccepted =
      typed !== '' && shown.suggestions.some((each) => each.text.startsWith(typed.replaceAll('\r\n', '\n')));
    return shown.isAccepted;
  }

  /** The person does not want the suggestion that is shown. */
  dismiss(now: number): void {
    if (this.#current === undefined) return;
    this.#dismissed = { anchor: this.#current, at: now };
    this.#shown = this.#shown.filter((shown) => shown.uri !== this.#current?.uri);
  }

  isDismissed(anchor: Anchor, now: number): boolean {
    if (this.#dismissed === undefined || now - this.#dismissed.at > DISMISSED_MS) return false;
    const { uri, line, prefix } = this.#dismissed.anchor;
    return uri === anchor.uri && line === anchor.line && prefix === anchor.prefix;
  }
}

export function anchorAt(document: vscode.TextDocument, position: vscode.Position): Anchor {
  const { text } = document.lineAt(position.line);
  const [prefix, suffix] = [text.slice(0, position.character), text.slice(position.character)];
  return { uri: document.uri.toString(), line: position.line, prefix, suffix };
}

/** The text between an earlier cursor and this one; undefined if anything else has changed on its lines. */
function typedSince(anchor: Anchor, document: vscode.TextDocument, position: vscode.Position): string | undefined {
  const { uri, line, prefix, suffix } = anchor;
  if (document.uri.toString() !== uri || position.line < line || line >= document.lineCount) return undefined;
  const first = document.lineAt(line).text;
  if (!first.startsWith(prefix)) return undefined;
  const rest = document.lineAt(position.line).text.slice(position.character);
  if (rest !== suffix) return undefined;
  if (position.line === line) return first.slice(prefix.length, position.character);
  const lines = [first.slice(prefix.length)];
  for (let at = line + 1; at < position.line; at += 1) lines.push(document.lineAt(at).text);
  return [...lines, document.lineAt(position.line).text.slice(0, position.character)].join('\n');
}
