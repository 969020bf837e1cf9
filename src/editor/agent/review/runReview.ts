import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../../log/log.ts';
import { WebviewTab } from '../../webviews/webviewTab.ts';
import type { Checkpoint } from '../checkpoints.ts';
import { KeptFilesWatch } from './keptFilesWatch.ts';
import type { ReviewDecision, ReviewHostMessage, ReviewPageMessage } from './protocol.ts';
import { RunChanges } from './runChanges.ts';

/** A run whose changes are reviewed. */
export interface ReviewableRun {
  readonly checkpoint: Checkpoint;
  /** The title of its chat. */
  readonly title: string;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  /** Called when changes were accepted or discarded. */
  countChanges(): Promise<void>;
  /** Asks what to restore to the state before it. */
  restore(): Promise<void>;
}

/** The run in the tab. */
interface ShownRun extends vscode.Disposable {
  readonly run: ReviewableRun;
  readonly changes: RunChanges;
  readonly watch: KeptFilesWatch;
}

/** The tab in which the changes of a run are accepted and discarded. */
export class RunReview implements vscode.Disposable {
  readonly #log: Log;
  readonly #tab: WebviewTab<ReviewHostMessage, ReviewPageMessage>;
  /** The decisions of the runs, which can be undone until the window is closed. */
  readonly #changes = new WeakMap<Checkpoint, RunChanges>();
  #shown: ShownRun | undefined;
  /** Whether files have changed since they were last read, and whether they are being read. */
  #isOutdated = false;
  #isReading = false;

  constructor(extensionUri: vscode.Uri, log: Log) {
    this.#log = log;
    this.#tab = new WebviewTab({
      extensionUri,
      viewType: 'modelAccess.agentReview',
      title: '',
      icon: 'diff-multiple',
      page: 'agentReview',
      isKept: false,
      log,
      reader: async () => (await import('./reviewMessages.ts')).readReviewMessage,
      receive: (message) => this.#receive(message),
    });
    this.#tab.onDidClose(() => this.#close());
  }

  async show(run: ReviewableRun): Promise<void> {
    if (this.#shown?.run.checkpoint !== run.checkpoint) {
      this.#close();
      this.#shown = this.#open(run);
    }
    this.#tab.title = l10n.t('Review: {0}', run.title);
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
    this.#tab.dispose();
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
  }

  async #receive(message: ReviewPageMessage): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined) return;
    switch (message.type) {
      case 'ready':
        return this.#update();
      case 'decide':
        for (const uri of await shown.changes.decide(message.changes, message.decision)) this.#reportMisfit(uri);
        return this.#decided(shown);
      case 'undo': {
        const misfit = await shown.changes.undo(message);
        if (misfit !== undefined) this.#reportMisfit(misfit);
        return this.#decided(shown);
      }
      case 'openFile':
        return openFile(shown.changes.uriOf(message.file), message.line);
      case 'restore':
        return shown.run.restore();
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
      this.#log.error('Could not read the changes of the run', error);
    } finally {
      this.#isReading = false;
    }
  }

  async #postState(): Promise<void> {
    const shown = this.#shown;
    const files = await shown?.changes.view();
    if (shown === undefined || files === undefined || shown !== this.#shown) return;
    shown.watch.watch(shown.changes.uris);
    this.#tab.post({ type: 'state', state: { files, startedAt: shown.run.startedAt } });
  }

  #reportMisfit(uri: vscode.Uri): void {
    const text = l10n.t(
      '{0} was edited meanwhile, and a change no longer fits. It was left as it is.',
      vscode.workspace.asRelativePath(uri),
    );
    const open = l10n.t('Open File');
    void vscode.window
      .showWarningMessage(text, open)
      .then((choice) => (choice === open ? openFile(uri, 1) : undefined));
  }
}

async function openFile(uri: vscode.Uri | undefined, line: number): Promise<void> {
  if (uri === undefined) return;
  const start = new vscode.Position(line - 1, 0);
  await vscode.commands.executeCommand('vscode.open', uri, { selection: new vscode.Range(start, start) });
}
