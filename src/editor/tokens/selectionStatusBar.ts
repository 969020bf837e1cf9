import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatStatusBarEstimate } from '../../display/money.ts';
import { approximately, formatTokensExact } from '../../display/tokens.ts';
import { DelayedCall } from '../../rules/delayedCall.ts';
import type { Settings } from '../settings/settings.ts';
import type { SelectionCounter, SelectionTokens } from './selectionCounter.ts';

/** Time without a change before the text is counted, in milliseconds. */
const QUIET_MS = 250;

/** A longer selection is counted only on request. In characters. */
const LARGE_SELECTION = 200_000;

/**
 * A status bar item with the tokens of the selection. They are estimated locally, because selecting text must not send
 * it anywhere. A click requests the service's count.
 */
export class SelectionStatusBar implements vscode.Disposable {
  readonly #counter: SelectionCounter;
  readonly #settings: Settings;
  readonly #item = vscode.window.createStatusBarItem('modelAccess.selection', vscode.StatusBarAlignment.Right, 103);
  readonly #subscriptions: vscode.Disposable[];
  readonly #counting = new DelayedCall(() => this.#update(), QUIET_MS);

  constructor(counter: SelectionCounter, settings: Settings) {
    this.#counter = counter;
    this.#settings = settings;
    this.#item.name = l10n.t('Model Access: tokens in the selection');
    this.#item.command = 'modelAccess.countTokens';
    const changed = () => this.#counting.afterPause();
    this.#subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(changed),
      vscode.window.onDidChangeTextEditorSelection(changed),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document) changed();
      }),
      settings.onDidChange(['statusBar', 'chat.model'], changed),
    ];
    changed();
  }

  dispose(): void {
    this.#counting.dispose();
    vscode.Disposable.from(...this.#subscriptions, this.#item).dispose();
  }

  #update(): void {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || editor.selection.isEmpty || !this.#settings.statusBar.includes('selection')) {
      this.#item.hide();
    } else if (isLarge(editor)) {
      this.#offer();
    } else {
      this.#show(this.#counter.estimate(editor));
    }
  }

  #show({ tokens, cost }: SelectionTokens): void {
    const exact = formatTokensExact(tokens);
    const price = cost === undefined ? '' : ` · ${l10n.t('{0} as input', formatStatusBarEstimate(cost))}`;
    this.#item.text = l10n.t('{0} tokens', approximately(exact)) + price;
    this.#item.tooltip = l10n.t(
      'Selection: about {0} tokens, estimated on this machine. Click to count with the service.',
      exact,
    );
    this.#item.accessibilityInformation = { label: l10n.t('Selection: about {0} tokens', exact) };
    this.#item.show();
  }

  #offer(): void {
    this.#item.text = l10n.t('Count tokens');
    this.#item.tooltip = l10n.t('The selection is large. Click to count its tokens.');
    this.#item.accessibilityInformation = { label: l10n.t('Count the tokens of the selection') };
    this.#item.show();
  }
}

function isLarge({ document, selection }: vscode.TextEditor): boolean {
  return document.offsetAt(selection.end) - document.offsetAt(selection.start) > LARGE_SELECTION;
}
