import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../../formats/defined.ts';
import type { RestoreChoice, RestoreView } from '../../chat/protocol.ts';
import type { ReviewDecision, ReviewPageMessage } from '../../chat/review/protocol.ts';
import type { ReviewTab } from '../../chat/review/reviewTab.ts';
import { baseName } from '../../files/paths.ts';
import type { Log } from '../../log/log.ts';
import type { Checkpoint } from '../checkpoints.ts';
import { BaseDocuments } from './baseDocuments.ts';
import { KeptFilesWatch } from './keptFilesWatch.ts';
import { RunChanges } from './runChanges.ts';

/** What a run is found by after a reload of the window. */
export interface ReviewedRun {
  /** The ID of its chat. */
  readonly chat: string;
  readonly run: string;
}

/** A run whose changes are reviewed. */
export interface ReviewableRun {
  readonly place: ReviewedRun;
  readonly checkpoint: Checkpoint;
  /** The title of its chat. */
  readonly title: string;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  /** Called when changes were accepted or discarded. */
  countChanges(): Promise<void>;
  /** What restoring to the state before it would change. */
  planRestore(): Promise<RestoreView>;
  restore(choice: RestoreChoice): Promise<void>;
}

export interface RunReviewServices {
  /** Returns undefined if the chat or the run no longer exists. */
  readonly find: (run: ReviewedRun) => Promise<ReviewableRun | undefined>;
  readonly log: Log;
}

const REVIEWED = 'modelAccess.reviewedRun';

/** The run in the tab. */
interface ShownRun extends vscode.Disposable {
  readonly run: ReviewableRun;
  readonly changes: RunChanges;
  readonly watch: KeptFilesWatch;
}

/** The tab in which the changes of a run are accepted and discarded. */
export class RunReview implements vscode.Disposable {
  readonly #tab: ReviewTab;
  readonly #memory: vscode.Memento;
  readonly #services: RunReviewServices;
  /** The decisions of the runs, which can be undone until the window is closed. */
  readonly #changes = new WeakMap<Checkpoint, RunChanges>();
  readonly #bases = new BaseDocuments();
  readonly #closing: vscode.Disposable;
  #shown: ShownRun | undefined;
  /** What the user is asked to restore. */
  #restore: RestoreView | undefined;
  /** Whether files have changed since they were last read, and whether they are being read. */
  #isOutdated = false;
  #isReading = false;

  /** @param memory the state of the workspace, which contains the run of a restored tab. */
  constructor(tab: ReviewTab, memory: vscode.Memento, services: RunReviewServices) {
    this.#tab = tab;
    this.#memory = memory;
    this.#services = services;
    this.#closing = tab.onDidClose(() => this.#close());
  }

  async show(place: ReviewedRun): Promise<void> {
    const run = await this.#services.find(place);
    if (run === undefined) return;
    this.#choose(run);
    await this.#memory.update(REVIEWED, place);
    await this.#tab.open();
    this.#update();
  }

  /** Accepts or discards all open changes of the run that is shown. */
  async decideAll(decision: ReviewDecision): Promise<void> {
    const shown = this.#shown;
    await shown?.changes.decideAll(decision);
    await this.#decided(shown);
  }

  dispose(): void {
    this.#close();
    vscode.Disposable.from(this.#closing, this.#bases).dispose();
  }

  #choose(run: ReviewableRun): void {
    if (this.#shown?.run.checkpoint !== run.checkpoint) {
      this.#close();
      this.#shown = this.#open(run);
    }
    this.#tab.title = l10n.t('Review: {0}', run.title);
  }

  /** Shows the run of before the reload in the tab that the editor has restored. */
  async #restoreTab(): Promise<void> {
    const place = this.#memory.get<ReviewedRun>(REVIEWED);
    const run = place && (await this.#services.find(place));
    if (run === undefined) this.#tab.close();
    else if (this.#shown === undefined) this.#choose(run);
  }

  #open(run: ReviewableRun): ShownRun {
    const { checkpoint } = run;
    const changes = this.#changes.get(checkpoint) ?? new RunChanges(checkpoint);
    this.#changes.set(checkpoint, changes);
    const watch = new KeptFilesWatch(() => this.#update());
    const kept = checkpoint.onDidChange(() => this.#update());
    return { run, changes, watch, dispose: () => vscode.Disposable.from(watch, kept).dispose() };
  }

  #close(): void {
    this.#shown?.dispose();
    this.#shown = undefined;
    this.#restore = undefined;
  }

  async receive(message: ReviewPageMessage): Promise<void> {
    if (this.#shown === undefined) await this.#restoreTab();
    const shown = this.#shown;
    if (shown === undefined) return;
    switch (message.type) {
      case 'ready':
        return this.#update();
      case 'decide':
        for (const uri of await shown.changes.decide(message.changes, message.decision)) this.#reportConflict(uri);
        return this.#decided(shown);
      case 'undo': {
        const conflict = await shown.changes.undo(message);
        if (conflict !== undefined) this.#reportConflict(conflict);
        return this.#decided(shown);
      }
      case 'showAll':
        shown.changes.showAll(message);
        return this.#update();
      case 'placeByHand':
        return this.#resolveManually(shown.changes, message.file);
      case 'openFile':
        return openFile(shown.changes.uriOf(message.file), message.line);
      case 'restore':
        this.#restore = await shown.run.planRestore();
        return this.#update();
      case 'cancelRestore':
        this.#restore = undefined;
        return this.#update();
      case 'confirmRestore':
        this.#restore = undefined;
        await shown.run.restore(message);
        return this.#decided(shown);
    }
  }

  async #decided(shown: ShownRun | undefined): Promise<void> {
    this.#update();
    await shown?.run.countChanges();
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
      this.#services.log.error('Could not read the changes of the run', error);
    } finally {
      this.#isReading = false;
    }
  }

  async #postState(): Promise<void> {
    const shown = this.#shown;
    const files = await shown?.changes.view();
    if (shown === undefined || files === undefined || shown !== this.#shown) return;
    shown.watch.watch(shown.changes.uris);
    this.#tab.post({
      type: 'state',
      state: { files, startedAt: shown.run.startedAt, ...defined({ restore: this.#restore }) },
    });
  }

  #reportConflict(uri: vscode.Uri): void {
    const text = l10n.t(
      '{0} was edited in the meantime, and a change no longer applies. It was left as it is.',
      vscode.workspace.asRelativePath(uri),
    );
    const place = l10n.t('Resolve Manually');
    const changes = this.#shown?.changes;
    void vscode.window
      .showWarningMessage(text, place)
      .then((choice) => (choice === place && changes ? this.#resolveManually(changes, uri.toString()) : undefined));
  }

  /** Shows the file beside its text before the changes, where the editor can take back single lines. */
  async #resolveManually(changes: RunChanges, file: string): Promise<void> {
    await changes.view();
    const uri = changes.uriOf(file);
    if (uri === undefined) return;
    const base = changes.baseOf(file);
    if (base === undefined) return openFile(uri, 1);
    const before = this.#bases.add(uri, base);
    await vscode.commands.executeCommand(
      'vscode.diff',
      before,
      uri,
      l10n.t('{0}: before the run ↔ now', baseName(uri.path)),
    );
  }
}

async function openFile(uri: vscode.Uri | undefined, line: number): Promise<void> {
  if (uri === undefined) return;
  const start = new vscode.Position(line - 1, 0);
  await vscode.commands.executeCommand('vscode.open', uri, { selection: new vscode.Range(start, start) });
}
