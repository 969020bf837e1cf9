import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type EditPlace,
  editBetween,
  type LineEdit,
  nextPlace,
  type RepeatedEdit,
  repeatedEdit,
} from '../../suggestions/text/sameEdit.ts';
import type { SuggestionSettings } from '../settings/suggestionSettings.ts';

/** A context key: while it is set, Tab makes the next change. */
const HAS_NEXT = 'modelAccess.hasNextEdit';
/** A longer document is not followed. In characters. */
const MAX_LENGTH = 300_000;
/** The pause after which a change counts as finished, in milliseconds. */
const QUIET_MS = 400;

interface Followed {
  readonly document: vscode.TextDocument;
  /** The document before the change in progress. */
  lines: readonly string[];
  /** The line that is being changed. */
  line: number | undefined;
  last: LineEdit | undefined;
}

interface Offer {
  readonly document: vscode.TextDocument;
  readonly edit: RepeatedEdit;
  readonly place: EditPlace;
  /** The line of the change before it. */
  readonly from: number;
}

/**
 * Offers a change at the next place after it was made twice. The editor's stable API shows suggestions only at the
 * cursor, so the change is shown as a decoration. No model is asked.
 */
export class NextEdit implements vscode.Disposable {
  readonly #settings: SuggestionSettings;
  readonly #isOn: () => boolean;
  readonly #decoration = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.wordHighlightBackground'),
  });
  readonly #subscriptions: vscode.Disposable[];
  #followed: Followed | undefined;
  #offer: Offer | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether the change is made by {@link accept}. */
  #isAccepting = false;

  constructor(settings: SuggestionSettings, isOn: () => boolean) {
    this.#settings = settings;
    this.#isOn = isOn;
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument((event) => this.#see(event)),
      vscode.window.onDidChangeActiveTextEditor(() => this.#follow()),
      vscode.window.onDidChangeTextEditorSelection((event) => this.#move(event)),
    ];
    this.#follow();
  }

  /** Makes the change that is offered, and offers the next one. */
  async accept(): Promise<void> {
    const offer = this.#offer;
    const editor = vscode.window.activeTextEditor;
    if (offer === undefined || editor?.document !== offer.document) return;
    const { edit, place } = offer;
    const range = rangeOf(place);
    this.#isAccepting = true;
    const isDone = await editor.edit((builder) => builder.replace(range, edit.inserted));
    this.#isAccepting = false;
    if (!isDone) return;
    const end = range.start.translate(0, edit.inserted.length);
    editor.selection = new vscode.Selection(end, end);
    editor.revealRange(new vscode.Range(end, end), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    this.#follow();
    this.#show(offer.document, edit, place.line);
  }

  dismiss(): void {
    this.#clear();
    if (this.#followed !== undefined) this.#followed.last = undefined;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#clear();
    vscode.Disposable.from(...this.#subscriptions, this.#decoration).dispose();
  }

  #follow(): void {
    clearTimeout(this.#timer);
    this.#clear();
    const document = vscode.window.activeTextEditor?.document;
    const isFollowed = document !== undefined && this.#settings.nextEdit && this.#isOn() && isShort(document);
    this.#followed = isFollowed ? { document, lines: linesOf(document), line: undefined, last: undefined } : undefined;
  }

  #see({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const followed = this.#followed;
    if (followed?.document !== document || contentChanges.length === 0 || this.#isAccepting) return;
    if (!this.#isOn() || !this.#settings.nextEdit) {
      this.#followed = undefined;
      this.#clear();
      return;
    }
    this.#clear();
    clearTimeout(this.#timer);
    const line = changedLine(contentChanges);
    if (line === undefined || document.lineCount !== followed.lines.length) {
      Object.assign(followed, { lines: linesOf(document), line: undefined, last: undefined });
      return;
    }
    if (followed.line !== undefined && followed.line !== line) this.#finish(followed);
    followed.line = line;
    this.#timer = setTimeout(() => this.#compare(followed), QUIET_MS);
  }

  /** Keeps the change of the line that was left. */
  #finish(followed: Followed): void {
    const { document, lines, line } = followed;
    if (line === undefined) return;
    const now = document.lineAt(line).text;
    const edit = editBetween(lines[line] ?? '', now);
    followed.last = edit ?? followed.last;
    followed.lines = lines.with(line, now);
    followed.line = undefined;
  }

  /** Offers the change at the next place, if it is the same as the last one. */
  #compare(followed: Followed): void {
    const { document, lines, line, last } = followed;
    if (line === undefined || last === undefined || line >= document.lineCount) return;
    const edit = editBetween(lines[line] ?? '', document.lineAt(line).text);
    const repeated = edit && repeatedEdit(last, edit);
    if (repeated !== undefined) this.#show(document, repeated, line);
  }

  /** Tab has its usual meaning again where the person goes on with something else. */
  #move({ textEditor, selections }: vscode.TextEditorSelectionChangeEvent): void {
    const { document, place, from } = this.#offer ?? {};
    if (textEditor.document !== document) return;
    if (selections.some(({ active }) => active.line !== place?.line && active.line !== from)) this.#clear();
  }

  #show(document: vscode.TextDocument, edit: RepeatedEdit, afterLine: number): void {
    const editor = vscode.window.activeTextEditor;
    const place = nextPlace(linesOf(document), edit, afterLine);
    if (place === undefined || editor?.document !== document) return;
    this.#offer = { document, edit, place, from: afterLine };
    editor.setDecorations(this.#decoration, decorations(editor, edit, place));
    void vscode.commands.executeCommand('setContext', HAS_NEXT, true);
  }

  #clear(): void {
    if (this.#offer === undefined) return;
    this.#offer = undefined;
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.#decoration, []);
    void vscode.commands.executeCommand('setContext', HAS_NEXT, false);
  }
}

/** The change at its place, and a hint at the cursor if the place is not visible. */
function decorations(editor: vscode.TextEditor, edit: RepeatedEdit, place: EditPlace): vscode.DecorationOptions[] {
  const range = rangeOf(place);
  const change = edit.kind === 'name' ? ` → ${edit.inserted}` : edit.inserted;
  const shown = { range, renderOptions: { after: ghost(`${change}  Tab`) } };
  if (editor.visibleRanges.some((visible) => visible.contains(range))) return [shown];
  const { end } = editor.document.lineAt(editor.selection.active.line).range;
  const hint = l10n.t('Tab: the same change in line {0}', place.line + 1);
  return [shown, { range: new vscode.Range(end, end), renderOptions: { after: ghost(`  ${hint}`) } }];
}

function ghost(contentText: string): vscode.ThemableDecorationAttachmentRenderOptions {
  return { contentText, color: new vscode.ThemeColor('editorGhostText.foreground'), fontStyle: 'italic' };
}

function rangeOf({ line, start, end }: EditPlace): vscode.Range {
  return new vscode.Range(line, start, line, end);
}

function isShort(document: vscode.TextDocument): boolean {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end) <= MAX_LENGTH;
}

function linesOf(document: vscode.TextDocument): string[] {
  return Array.from({ length: document.lineCount }, (_, line) => document.lineAt(line).text);
}

/** The line of a change within one line. */
function changedLine(changes: readonly vscode.TextDocumentContentChangeEvent[]): number | undefined {
  const [change, ...others] = changes;
  if (change === undefined || others.length > 0 || !change.range.isSingleLine) return undefined;
  return /[\r\n]/.test(change.text) ? undefined : change.range.start.line;
}
