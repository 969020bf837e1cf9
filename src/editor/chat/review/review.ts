import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../../formats/json.ts';
import type { ChangeName, ReviewDecision, ReviewedFile, ReviewState } from '../../../pages/agentReview/protocol.ts';
import type { ReviewPageMessage } from '../../../pages/agentReview/reviewMessages.ts';
import type { RestoreChoice, RestoreView } from '../../../pages/chat/protocol.ts';
import type { Log } from '../../log/log.ts';
import type { ReviewTab } from './reviewTab.ts';

/** A text that a file is compared with in an editor, where the user can take over single lines. */
export interface ManualComparison {
  readonly text: string;
  readonly title: string;
}

/** The changes of one or several files while the user decides on each. */
export interface ReviewedChanges {
  /** Reads the files. Those without changes and decisions are omitted. */
  view(): Promise<readonly ReviewedFile[]>;
  /** @returns the files in which the lines of a change were edited in the meantime. Such a change is left alone. */
  decide(changes: readonly ChangeName[], decision: ReviewDecision): Promise<readonly vscode.Uri[]>;
  /** Accepts or discards what is open now. */
  decideAll(decision: ReviewDecision): Promise<void>;
  /**
   * Takes a decision back.
   * @returns the file, if it no longer is as the decision left it.
   */
  undo(change: ChangeName): Promise<vscode.Uri | undefined>;
  /** Shows all lines of a change from now on. */
  showAll(change: ChangeName): void;
  /** Undefined if the file has nothing to compare. */
  comparison(file: string): Promise<ManualComparison | undefined>;
  /** Undefined for other files. */
  uriOf(file: string): vscode.Uri | undefined;
  readonly uris: readonly vscode.Uri[];
}

/** What is reviewed in a tab. */
export interface Reviewable {
  readonly changes: ReviewedChanges;
  readonly title: string;
  /** What the page shows beside the changes. */
  readonly head: Pick<ReviewState, 'startedAt' | 'cost' | 'isSample'>;
  /** Fires when the changes are different ones. */
  readonly onDidChange?: vscode.Event<void>;
  /** Called when changes were accepted or discarded. */
  decided(): Promise<void>;
  /** What restoring to the state before all changes would do, if it is possible. */
  planRestore?(): Promise<RestoreView>;
  restore?(choice: RestoreChoice): Promise<void>;
}

/** What is in the tab. */
interface ShownReview extends vscode.Disposable {
  reviewable: Reviewable;
  readonly watch: KeptFilesWatch;
}

/** A tab in which changes are accepted and discarded: those of a run, or those that an answer proposes. */
export class Review implements vscode.Disposable {
  readonly #tab: ReviewTab;
  readonly #log: Log;
  readonly #find: () => Promise<Reviewable | undefined>;
  readonly #bases = new BaseDocuments();
  readonly #closing: vscode.Disposable;
  #shown: ShownReview | undefined;
  /** What the user is asked to restore. */
  #restore: RestoreView | undefined;
  /** Whether files have changed since they were last read, and whether they are being read. */
  #isOutdated = false;
  #isReading = false;

  /** @param find returns what a tab showed that the editor has restored. Undefined if it no longer exists. */
  constructor(tab: ReviewTab, log: Log, find: () => Promise<Reviewable | undefined>) {
    this.#tab = tab;
    this.#log = log;
    this.#find = find;
    this.#closing = tab.onDidClose(() => this.#close());
  }

  async show(reviewable: Reviewable): Promise<void> {
    this.#choose(reviewable);
    await this.#tab.reveal();
    this.#update();
  }

  dispose(): void {
    this.#close();
    vscode.Disposable.from(this.#closing, this.#bases).dispose();
  }

  async receive(message: ReviewPageMessage): Promise<void> {
    if (this.#shown === undefined) await this.#restoreTab();
    const shown = this.#shown?.reviewable;
    if (shown === undefined) return;
    const { changes } = shown;
    switch (message.type) {
      case 'ready':
        return this.#update();
      case 'decide':
        for (const uri of await changes.decide(message.changes, message.decision)) this.#reportConflict(uri);
        return this.#decided(shown);
      case 'decideAll':
        await changes.decideAll(message.decision);
        return this.#decided(shown);
      case 'undo': {
        const conflict = await changes.undo(message);
        if (conflict !== undefined) this.#reportConflict(conflict);
        return this.#decided(shown);
      }
      case 'showAll':
        changes.showAll(message);
        return this.#update();
      case 'placeByHand':
        return this.#resolveManually(changes, message.file);
      case 'openFile':
        return openFile(changes.uriOf(message.file), message.line);
      case 'restore':
        this.#restore = await shown.planRestore?.();
        return this.#update();
      case 'cancelRestore':
        this.#restore = undefined;
        return this.#update();
      case 'confirmRestore':
        this.#restore = undefined;
        await shown.restore?.(message);
        return this.#decided(shown);
    }
  }

  #choose(reviewable: Reviewable): void {
    if (this.#shown?.reviewable.changes !== reviewable.changes) this.#close();
    this.#shown ??= this.#open(reviewable);
    this.#shown.reviewable = reviewable;
    this.#setTitle(reviewable);
  }

  #setTitle({ title }: Reviewable): void {
    this.#tab.title = l10n.t('Review: {0}', title);
  }

  /** Shows what the tab showed before the reload of the window. */
  async #restoreTab(): Promise<void> {
    const reviewable = await this.#find();
    if (reviewable === undefined) this.#tab.close();
    else if (this.#shown === undefined) this.#choose(reviewable);
  }

  #open(reviewable: Reviewable): ShownReview {
    const watch = new KeptFilesWatch(() => this.#update());
    const changed = reviewable.onDidChange?.(() => this.#update());
    return { reviewable, watch, dispose: () => vscode.Disposable.from(watch, ...(changed ? [changed] : [])).dispose() };
  }

  #close(): void {
    this.#shown?.dispose();
    this.#shown = undefined;
    this.#restore = undefined;
  }

  async #decided(reviewable: Reviewable): Promise<void> {
    this.#update();
    await reviewable.decided();
  }

  #update(): void {
    this.#isOutdated = true;
    if (!this.#isReading) void this.#read();
  }

  /** Reads until nothing has changed meanwhile. */
  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#isOutdated) {
        this.#isOutdated = false;
        await this.#postState();
      }
    } catch (error) {
      this.#log.error('Could not read the changes to review', error);
    } finally {
      this.#isReading = false;
    }
  }

  async #postState(): Promise<void> {
    const shown = this.#shown;
    const files = await shown?.reviewable.changes.view();
    if (shown === undefined || files === undefined || shown !== this.#shown) return;
    const { changes, head } = shown.reviewable;
    this.#setTitle(shown.reviewable);
    shown.watch.watch(changes.uris);
    this.#tab.post({ type: 'state', state: { files, ...head, ...defined({ restore: this.#restore }) } });
  }

  #reportConflict(uri: vscode.Uri): void {
    const text = l10n.t(
      '{0} was edited in the meantime, and a change no longer applies. It was left as it is.',
      vscode.workspace.asRelativePath(uri),
    );
    const place = l10n.t('Resolve Manually');
    const changes = this.#shown?.reviewable.changes;
    void vscode.window
      .showWarningMessage(text, place)
      .then((choice) => (choice === place && changes ? this.#resolveManually(changes, uri.toString()) : undefined));
  }

  async #resolveManually(changes: ReviewedChanges, file: string): Promise<void> {
    const comparison = await changes.comparison(file);
    const uri = changes.uriOf(file);
    if (uri === undefined) return;
    if (comparison === undefined) return openFile(uri, 1);
    const before = this.#bases.add(uri, comparison.text);
    await vscode.commands.executeCommand('vscode.diff', before, uri, comparison.title);
  }
}

async function openFile(uri: vscode.Uri | undefined, line: number): Promise<void> {
  if (uri === undefined) return;
  const start = new vscode.Position(line - 1, 0);
  await vscode.commands.executeCommand('vscode.open', uri, { selection: new vscode.Range(start, start) });
}

const SCHEME = 'model-access-run-base';

/** The texts of files before the changes of a run. They have the paths of the files, for the same syntax colors. */
class BaseDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  readonly onDidChange = this.#changed.event;

  /** Returns the address under which an editor finds the text. */
  add(file: vscode.Uri, text: string): vscode.Uri {
    const uri = file.with({ scheme: SCHEME, authority: '' });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }

  dispose(): void {
    vscode.Disposable.from(this.#registration, this.#changed).dispose();
  }
}

/** Reports changes of files, on disk and in the editor. */
class KeptFilesWatch implements vscode.Disposable {
  readonly #onChange: () => void;
  readonly #edits: vscode.Disposable;
  readonly #folders = new Map<string, vscode.Disposable>();
  #files: ReadonlySet<string> = new Set();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#edits = vscode.workspace.onDidChangeTextDocument(({ document }) => this.#report(document.uri));
  }

  /** Watches these files from now on. */
  watch(uris: readonly vscode.Uri[]): void {
    this.#files = new Set(uris.map(String));
    for (const uri of uris) {
      const folder = vscode.Uri.joinPath(uri, '..');
      if (!this.#folders.has(folder.toString())) this.#folders.set(folder.toString(), this.#watchFolder(folder));
    }
  }

  dispose(): void {
    vscode.Disposable.from(this.#edits, ...this.#folders.values()).dispose();
  }

  #watchFolder(folder: vscode.Uri): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) {
      event((uri) => this.#report(uri));
    }
    return watcher;
  }

  #report(uri: vscode.Uri): void {
    if (this.#files.has(uri.toString())) this.#onChange();
  }
}
