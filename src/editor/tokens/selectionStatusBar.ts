import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatStatusBarEstimate } from '../../display/money.ts';
import { approximately, formatTokensExact } from '../../display/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import type { SelectionCounter, SelectionTokens } from './selectionCounter.ts';

/** Time without a change before the text is counted, in milliseconds. */
const QUIET_MS = 250;

/** A longer document is counted only on request. In characters. */
const LARGE_DOCUMENT = 200_000;

/**
 * A status bar item with the tokens of the selection, or of the document if nothing is selected. They are estimated
 * locally, because selecting text must not send it anywhere. A click requests the service's count.
 */
export class SelectionStatusBar implements vscode.Disposable {
  readonly #counter: SelectionCounter;
  readonly #settings: Settings;
  readonly #item = vscode.window.createStatusBarItem('modelAccess.selection', vscode.StatusBarAlignment.Right, 103);
  readonly #subscriptions: vscode.Disposable[];
  #timer: NodeJS.Timeout | undefined;

  constructor(counter: SelectionCounter, settings: Settings) {
    this.#counter = counter;
    this.#settings = settings;
    this.#item.name = l10n.t('Model Access: tokens in the selection');
    this.#item.command = 'modelAccess.countTokens';
    const changed = () => this.#schedule();
    this.#subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(changed),
      vscode.window.onDidChangeTextEditorSelection(changed),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document) changed();
      }),
      settings.onDidChange(['tokens.showSelection', 'chat.model'], changed),
    ];
    changed();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(...this.#subscriptions, this.#item).dispose();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#update(), QUIET_MS);
  }

  #update(): void {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !this.#settings.showSelectionTokens) this.#item.hide();
    else if (editor.selection.isEmpty && isLarge(editor.document)) this.#offer(editor);
    else this.#show(editor, this.#counter.estimate(editor));
  }

  #show({ selection, document }: vscode.TextEditor, { tokens, cost }: SelectionTokens): void {
    const exact = formatTokensExact(tokens);
    const price = cost === undefined || selection.isEmpty ? '' : ` · ${this.#priceText(cost)}`;
    const what = selection.isEmpty ? vscode.workspace.asRelativePath(document.uri) : l10n.t('Selection');
    this.#item.text = l10n.t('{0} tokens', approximately(exact)) + price;
    this.#item.tooltip = l10n.t(
      '{0}: about {1} tokens, estimated on this machine. Click to count with the service.',
      what,
      exact,
    );
    this.#item.accessibilityInformation = { label: l10n.t('{0}: about {1} tokens', what, exact) };
    this.#item.show();
  }

  #priceText(cost: number): string {
    return l10n.t('{0} as input', formatStatusBarEstimate(cost));
  }

  #offer({ document }: vscode.TextEditor): void {
    this.#item.text = l10n.t('Count tokens');
    this.#item.tooltip = l10n.t(
      '{0} is large. Click to count its tokens.',
      vscode.workspace.asRelativePath(document.uri),
    );
    this.#item.accessibilityInformation = { label: l10n.t('Count the tokens of this file') };
    this.#item.show();
  }
}

function isLarge(document: vscode.TextDocument): boolean {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end) > LARGE_DOCUMENT;
}
