import * as vscode from 'vscode';

/** The most characters that one key, or an item of a list of completions, inserts or replaces. */
const MAX_TYPED = 100;
/** Changes that the editor makes because of a key follow it within this time, in milliseconds: brackets, indentation. */
const FOLLOWS_MS = 300;
/** How long formatters may run before a file is saved, in milliseconds. The editor does not report that saving has failed. */
const MAX_SAVING_MS = 5000;

/**
 * The place where a person typed last. Undoing, formatting, and what tools write are no typing: nobody waits for a
 * suggestion there, and each would be paid.
 */
export class Typing implements vscode.Disposable {
  readonly #subscriptions: vscode.Disposable[];
  /** Until when changes of documents may be those of formatters. */
  readonly #savingUntil = new WeakMap<vscode.TextDocument, number>();
  #last: { readonly document: vscode.TextDocument; readonly lines: vscode.Range; readonly at: number } | undefined;

  constructor() {
    this.#subscriptions = [
      vscode.workspace.onWillSaveTextDocument(({ document }) => {
        this.#savingUntil.set(document, performance.now() + MAX_SAVING_MS);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => this.#savingUntil.delete(document)),
    ];
  }

  /** Whether the person typed last at this place. */
  isAt(document: vscode.TextDocument, position: vscode.Position): boolean {
    return this.#last?.document === document && this.#last.lines.contains(position);
  }

  /**
   * Follows a change of a document.
   * @param isAccepted whether it is a suggestion that the person has accepted.
   * @returns whether the person has typed it.
   */
  see({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent, isAccepted: boolean): boolean {
    const [change, ...others] = contentChanges;
    if (change === undefined) return false;
    const now = performance.now();
    const isTyped =
      reason === undefined &&
      others.length === 0 &&
      now > (this.#savingUntil.get(document) ?? 0) &&
      (isAccepted || (isShort(change) && isAtCursor(document, change)));
    if (isTyped) this.#last = { document, lines: linesAfter(document, change), at: now };
    else if (this.#last?.document === document && (reason !== undefined || now - this.#last.at > FOLLOWS_MS)) {
      this.#last = undefined;
    }
    return isTyped;
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}

function isShort({ text, rangeLength }: vscode.TextDocumentContentChangeEvent): boolean {
  return text.length <= MAX_TYPED && rangeLength <= MAX_TYPED;
}

/** Whether the cursor is, or was, in the text. The editor reports a change before its cursor. */
function isAtCursor(document: vscode.TextDocument, change: vscode.TextDocumentContentChangeEvent): boolean {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document !== document) return false;
  const { active } = editor.selection;
  return change.range.contains(active) || rangeAfter(document, change).contains(active);
}

function rangeAfter(document: vscode.TextDocument, change: vscode.TextDocumentContentChangeEvent): vscode.Range {
  const { rangeOffset, text } = change;
  return new vscode.Range(document.positionAt(rangeOffset), document.positionAt(rangeOffset + text.length));
}

function linesAfter(document: vscode.TextDocument, change: vscode.TextDocumentContentChangeEvent): vscode.Range {
  const { start, end } = rangeAfter(document, change);
  return new vscode.Range(start.line, 0, end.line, Number.MAX_SAFE_INTEGER);
}
