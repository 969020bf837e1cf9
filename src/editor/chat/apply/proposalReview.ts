import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TextPair } from '../../../chat/review/textReview.ts';
import type { Undoable, UndoOffers } from '../../../chat/undo.ts';
import { errorText } from '../../../display/errors.ts';
import { baseName } from '../../../files/paths.ts';
import { ensurePrivateFolder, replacePrivateFile } from '../../../files/privateFiles.ts';
import { undefinedIfMissing } from '../../../files/undefinedIfMissing.ts';
import type { ReviewPageMessage } from '../../../pages/agentReview/reviewMessages.ts';
import { sumOf } from '../../../pages/chat/spentMoney.ts';
import type { Log } from '../../log/log.ts';
import { WorkQueue } from '../../workQueue.ts';
import type { PaidAnswer } from '../paidCall.ts';
import { Review, type Reviewable } from '../review/review.ts';
import type { ReviewTab } from '../review/reviewTab.ts';
import type { AppliedCode } from './appliedCode.ts';
import type { KeptProposal } from './fileProposal.ts';
import { ProposedChanges } from './proposedChanges.ts';
import { documentOf } from './targetDocument.ts';

/** A file's text as it is, and as an answer proposes it. */
export interface Proposal extends TextPair {
  readonly document: vscode.TextDocument;
}

/** What a review is continued with after a reload of the window. */
interface KeptReview {
  readonly files: readonly KeptProposal[];
  /** The code blocks that propose the changes. */
  readonly codes: readonly string[];
  readonly answers: readonly PaidAnswer[];
}

export interface ProposalReviewServices {
  readonly tab: ReviewTab;
  /** The folder of the workspace for files of the extension. Without one, a review ends with the window. */
  readonly storage: vscode.Uri | undefined;
  /** Offers in the chat to undo the accepted changes. */
  readonly undo: UndoOffers;
  readonly isChatVisible: () => boolean;
  /** The code blocks of reviews in which a change was accepted. */
  readonly applied: AppliedCode;
  readonly log: Log;
}

/** The name of the file that a review is kept in. */
const FILE = 'proposedChanges.json';

/** The tab in which the changes that answers propose are accepted and discarded. It closes when all are decided. */
export class ProposalReview implements vscode.Disposable {
  readonly #services: ProposalReviewServices;
  readonly #review: Review;
  readonly #renamed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #changes = new ProposedChanges();
  #answers = new Map<string, PaidAnswer>();
  #codes = new Set<string>();
  #restored: Promise<void> | undefined;
  /** A review is opened before or after another one ends. */
  readonly #queue = new WorkQueue();

  constructor(services: ProposalReviewServices) {
    this.#services = services;
    this.#review = new Review(services.tab, services.log, async () => {
      await this.#restore();
      return this.#changes.openCount > 0 ? this.#reviewable : undefined;
    });
    this.#subscriptions = [
      this.#review,
      this.#renamed,
      services.tab.onDidClose(() => void this.#left()),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.#changes.rename(oldUri, newUri);
        this.#renamed.fire();
        void this.#keep();
      }),
    ];
  }

  /** Shows changes, together with those that are still open. */
  open(proposals: readonly Proposal[], answers: readonly PaidAnswer[], codes: readonly string[] = []): Promise<void> {
    return this.#queue.run(async () => {
      await this.#restore();
      await this.#add(proposals, answers, codes);
      await this.#keep();
      await this.#review.show(this.#reviewable);
    });
  }

  receive(message: ReviewPageMessage): Promise<void> {
    return this.#review.receive(message);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  get #reviewable(): Reviewable {
    const changes = this.#changes;
    return {
      changes,
      get title() {
        return filesText(changes.uris);
      },
      head: sumOf([...this.#answers.values()]),
      onDidChange: this.#renamed.event,
      decided: () =>
        this.#queue.run(async () => {
          if (changes !== this.#changes) return;
          if (changes.openCount > 0) await this.#keep();
          else await this.#finish();
        }),
    };
  }

  async #finish(): Promise<void> {
    const changes = this.#changes;
    const codes = [...this.#codes];
    await this.#reset();
    const accepted = changes.files.filter((file) => file.accepted.size > 0);
    const [first] = accepted;
    // Closing the tab in front shows another one, which the editor may still be loading when it is told what to show in
    // it. So the file comes to the front first.
    if (first !== undefined) await showFile(first.uri, first.firstAcceptedLine);
    this.#services.tab.close();
    if (first === undefined) return;
    await this.#services.applied.add(codes);
    const all = changes.files.reduce((sum, { count }) => sum + count, 0);
    const count = accepted.reduce((sum, file) => sum + file.accepted.size, 0);
    const names = filesText(accepted.map(({ uri }) => uri));
    const text =
      all === 1
        ? l10n.t('Change applied to {0}', names)
        : l10n.t('{0} of {1} changes applied to {2}', count, all, names);
    const undo = async () => {
      await undoAccepted(changes);
      await this.#services.applied.remove(codes);
    };
    this.#offerUndo({ text, undo });
  }

  /** Offers it in the chat, whose message a notification would cover, or in a notification if the chat is not visible. */
  #offerUndo(offer: Undoable): void {
    const { undo, isChatVisible } = this.#services;
    if (isChatVisible()) undo.offerLasting(offer);
    else void notify(offer);
  }

  /** The user has closed the tab. What is open is not dropped without an offer. */
  async #left(): Promise<void> {
    if (this.#changes.openCount === 0) return;
    const names = filesText(this.#changes.uris);
    const kept = this.#kept;
    await this.#reset();
    const again = l10n.t('Open Review');
    const text = l10n.t('The review of {0} was closed before all changes were decided.', names);
    if ((await vscode.window.showInformationMessage(text, again)) !== again) return;
    await this.open(await proposalsOf(kept), kept.answers, kept.codes);
  }

  async #add(
    proposals: readonly Proposal[],
    answers: readonly PaidAnswer[],
    codes: readonly string[] = [],
  ): Promise<void> {
    for (const code of codes) this.#codes.add(code);
    for (const { document, ...pair } of proposals) await this.#changes.add(document, pair);
    for (const answer of answers) this.#answers.set(answer.id, answer);
  }

  get #kept(): KeptReview {
    const files = this.#changes.files.map(({ kept }) => kept);
    return { files, answers: [...this.#answers.values()], codes: [...this.#codes] };
  }

  get #path(): string | undefined {
    const { storage } = this.#services;
    return storage && join(storage.fsPath, FILE);
  }

  async #keep(): Promise<void> {
    if (this.#path === undefined || this.#changes.openCount === 0) return;
    await ensurePrivateFolder(dirname(this.#path));
    await replacePrivateFile(this.#path, JSON.stringify(this.#kept));
  }

  /** Adds what was open before the reload of the window, once. All who need it wait for it. */
  #restore(): Promise<void> {
    this.#restored ??= this.#readKept();
    return this.#restored;
  }

  async #readKept(): Promise<void> {
    if (this.#path === undefined) return;
    const written = await undefinedIfMissing(readFile(this.#path, 'utf8'));
    if (written === undefined) return;
    const kept: KeptReview = JSON.parse(written);
    await this.#add(await proposalsOf(kept), kept.answers, kept.codes);
  }

  async #reset(): Promise<void> {
    [this.#changes, this.#answers, this.#codes] = [new ProposedChanges(), new Map(), new Set()];
    if (this.#path !== undefined) await rm(this.#path, { force: true });
  }
}

async function notify({ text, undo }: Undoable): Promise<void> {
  const label = l10n.t('Undo');
  try {
    if ((await vscode.window.showInformationMessage(text, label)) === label) await undo();
  } catch (error) {
    void vscode.window.showErrorMessage(errorText(error));
  }
}

/** The files that still exist. */
async function proposalsOf({ files }: KeptReview): Promise<readonly Proposal[]> {
  const documents = await Promise.all(files.map(({ uri }) => documentOf(vscode.Uri.parse(uri))));
  return files.flatMap(({ base, current }, index) => {
    const document = documents[index];
    return document === undefined ? [] : [{ document, base, current }];
  });
}

/** @throws if lines of an accepted change were edited since. */
async function undoAccepted(changes: ProposedChanges): Promise<void> {
  const before = changes.files;
  const conflict = await changes.undoAccepted();
  if (conflict !== undefined) {
    throw new Error(l10n.t('{0} has been edited since. Undo the edits one by one.', baseName(conflict.uri.path)));
  }
  for (const { uri, original } of before) {
    const document = await documentOf(uri);
    // Also what counts as saved: when the editor has saved a text, it says so of the one that has replaced it meanwhile.
    if (original.isSaved && document?.isUntitled === false && document.getText() === original.text)
      await document.save();
  }
  const [first] = before;
  if (first !== undefined) await showFile(first.uri);
}

function filesText(uris: readonly vscode.Uri[]): string {
  const [first, ...others] = uris;
  return first !== undefined && others.length === 0 ? baseName(first.path) : l10n.t('{0} files', uris.length);
}

/** @param line counted from 0. */
async function showFile(uri: vscode.Uri, line?: number): Promise<void> {
  const selection = line === undefined ? undefined : new vscode.Range(line, 0, line, 0);
  await vscode.commands.executeCommand('vscode.open', uri, { preview: false, ...(selection && { selection }) });
}
