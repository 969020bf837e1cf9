import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import { type Hunk, hunksBetween } from '../../../chat/review/hunks.ts';
import { LineLimits } from '../../../chat/review/lineLimits.ts';
import { rebased } from '../../../chat/review/rebasedHunks.ts';
import { limitedChange, wholeLines } from '../../../chat/review/reviewBlocks.ts';
import { type TextPair, TextReview } from '../../../chat/review/textReview.ts';
import type { DecidedChange, FileChange, ReviewBlock, ReviewDecision } from '../../../pages/agentReview/protocol.ts';
import { type FileView, viewOfText } from '../../chat/review/fileView.ts';
import type { ChangedFile } from '../changedFile.ts';
import type { Checkpoint } from '../checkpoints.ts';
import { encodeLike } from '../fileEncoding.ts';
import { deleteFile, writeBytes, writeText } from '../files.ts';
import { isBinary, resultOf } from './runResult.ts';

/** A decision about a file as a whole, and the data to undo it. */
interface WholeDecision {
  readonly block: DecidedChange;
  readonly change: FileChange;
  /** The text that undoing restores: that of the base if the file was accepted, otherwise that of the file. */
  readonly content: Uint8Array | undefined;
  /** The text that the file is compared with after the decision. */
  readonly base: string | undefined;
}

/** The changes of one file, and the decisions about them. A file that is created, deleted, or not text is one change. */
export class FileReview {
  readonly uri: vscode.Uri;
  readonly #checkpoint: Checkpoint;
  readonly #text = new TextReview();
  readonly #limits = new LineLimits();
  /** The text of the file that was renamed to this one. */
  origin: string | undefined;
  #whole: WholeDecision | undefined;
  #read: ChangedFile;

  constructor(read: ChangedFile, checkpoint: Checkpoint) {
    this.uri = read.uri;
    this.#read = read;
    this.#checkpoint = checkpoint;
  }

  /** Updates the review with the current contents of the file and its base. */
  update(read: ChangedFile): void {
    this.#read = read;
    this.#text.dropOutdated(this.#pair);
    // The run was restored, or has repeated a discarded change.
    const isRedone = this.#whole?.block.decision === 'discarded' && this.#wholeId !== undefined;
    if (isRedone || this.#whole?.base !== read.before) this.#whole = undefined;
  }

  get view(): FileView {
    const pair = this.#pair;
    const whole = this.#whole;
    if (pair === undefined) return this.#wholeView;
    const view = viewOfText(this.#text, pair, (ids) => this.#editedOf(pair, ids), this.#limits);
    return {
      ...view,
      change: view.open.length === 0 && whole !== undefined ? whole.change : 'edited',
      blocks: [...(whole === undefined ? [] : [whole.block]), ...view.blocks],
      isEdited: this.#isEdited,
    };
  }

  /** Shows all lines of a change from now on. */
  showAll(id: string): void {
    this.#limits.showAll(id);
  }

  /** The text that the changes are compared with; undefined if there was no file, or if it is not text. */
  get base(): string | undefined {
    const { before } = this.#read;
    return before === undefined || isBinary(before) ? undefined : before;
  }

  /**
   * Returns whether all of these changes were still open. Others are ignored, and so are changes that are
   * to be discarded although the user has edited their lines.
   */
  async decide(ids: ReadonlySet<string>, decision: ReviewDecision): Promise<boolean> {
    const decided = new Set([
      ...this.#text.decided.map(({ id }) => id),
      ...(this.#whole ? [this.#whole.block.id] : []),
    ]);
    const open = new Set(this.view.open);
    const asked = new Set([...ids].filter((id) => open.has(id)));
    const kept = decision === 'discarded' ? this.#editedOf(this.#pair, asked) : new Set();
    const chosen = new Set([...asked].filter((id) => !kept.has(id)));
    const pair = this.#pair;
    if (chosen.size > 0 && decision === 'discarded') await this.#checkpoint.checkPlaces([this.uri]);
    if (chosen.size > 0 && pair === undefined) await this.#decideWhole(decision);
    if (chosen.size > 0 && pair !== undefined) await this.#decideText(pair, chosen, decision);
    return [...ids].every((id) => chosen.has(id) || decided.has(id));
  }

  /** Takes a decision back, if there is one. Returns false if the file no longer is as the decision left it. */
  async undo(id: string): Promise<boolean> {
    await this.#checkpoint.checkPlaces([this.uri]);
    if (this.#whole?.block.id === id) return this.#undoWhole(this.#whole);
    if (!this.#text.decided.some((decided) => decided.id === id)) return true;
    const pair = this.#pair;
    if (pair === undefined) return false;
    const rebase = ({ current }: TextPair) => rebased(hunksBetween(pair.current, current), pair.current, this.#after);
    const undone = this.#text.undo(pair, id, (texts) => rebase(texts).rejected.length === 0);
    if (undone === undefined) return false;
    await this.#save(pair, undone, rebase(undone).text);
    return true;
  }

  /** Takes the decision about the whole file back, if there is one. */
  async undoWhole(): Promise<boolean> {
    await this.#checkpoint.checkPlaces([this.uri]);
    return this.#whole === undefined || this.#undoWhole(this.#whole);
  }

  /** The file's text as it is, with the user's edits. */
  get #after(): string {
    return this.#read.after ?? '';
  }

  /** Whether the user has edited the run's version. */
  get #isEdited(): boolean {
    return this.#read.after !== resultOf(this.#read);
  }

  /** The open changes whose lines the user has edited. */
  #editedOf(pair: TextPair | undefined, ids: ReadonlySet<string>): ReadonlySet<string> {
    if (!this.#isEdited) return new Set();
    if (pair === undefined) return ids;
    const removals = this.#text.removals(pair, ids);
    const { rejected } = rebased(removals, pair.current, this.#after);
    return new Set(removals.filter((removal) => rejected.includes(removal)).map(({ id }) => id));
  }

  /** The accepted text, and the run's version of it. Undefined unless the file is a text before and after the run. */
  get #pair(): TextPair | undefined {
    const { before } = this.#read;
    const result = resultOf(this.#read);
    if (before === undefined || result === undefined || isBinary(before) || isBinary(result)) return undefined;
    return { base: before, current: result };
  }

  async #decideText(pair: TextPair, chosen: ReadonlySet<string>, decision: ReviewDecision): Promise<void> {
    const removals = decision === 'discarded' ? this.#text.removals(pair, chosen) : [];
    const { text } = rebased(removals, pair.current, this.#after);
    await this.#save(pair, this.#text.decide(pair, chosen, decision), text);
  }

  /** Writes the file with the user's edits, and keeps the accepted text and the run's version. */
  async #save(before: TextPair, { base, current }: TextPair, after: string): Promise<void> {
    const { uri, left } = this.#read;
    // First, because a file that somebody is writing is left alone.
    if (after !== this.#after) await writeText(uri, after, this.#read.after);
    if (base !== before.base) {
      const earlier = (await this.#checkpoint.base(uri)) ?? new Uint8Array();
      await this.#checkpoint.setBase(uri, await encodeLike(base, earlier, uri));
    }
    if (current !== before.current && left !== undefined) {
      const earlier = (await this.#checkpoint.left(uri)) ?? new Uint8Array();
      await this.#checkpoint.setLeft(uri, await encodeLike(current, earlier, uri));
    }
    this.#read = { ...this.#read, before: base, after, ...(left !== undefined && { left: { text: current } }) };
  }

  get #wholeView(): FileView {
    const id = this.#wholeId;
    const decided = this.#whole;
    const { added, removed, change } = this.#wholeChange;
    const blocks: readonly ReviewBlock[] = [
      ...(decided === undefined ? [] : [decided.block]),
      ...(id === undefined ? [] : [this.#wholeBlock(id)]),
    ];
    const isEdited = this.#isEdited;
    if (id === undefined)
      return { change: decided?.change ?? change, blocks, open: [], isEdited, added: 0, removed: 0 };
    return { change, blocks, open: [id], isEdited, added, removed };
  }

  #wholeBlock(id: string): ReviewBlock {
    const block = limitedChange(id, wholeLines(this.#wholeHunks), this.#limits.of(id));
    return this.#isEdited ? { ...block, isEdited: true } : block;
  }

  get #wholeHunks(): readonly Hunk[] {
    const before = this.#read.before ?? this.origin ?? '';
    const after = resultOf(this.#read) ?? '';
    return isBinary(before) || isBinary(after) ? [] : hunksBetween(before, after);
  }

  /** Undefined if the file is as it was accepted. */
  get #wholeId(): string | undefined {
    const { before } = this.#read;
    const after = resultOf(this.#read);
    if (this.#pair !== undefined || before === after) return undefined;
    return createHash('sha256')
      .update(JSON.stringify([before, after]))
      .digest('hex')
      .slice(0, 16);
  }

  get #wholeChange(): { readonly change: FileChange; readonly added: number; readonly removed: number } {
    const { before } = this.#read;
    const after = resultOf(this.#read);
    const hunks = this.#wholeHunks;
    const sum = (count: (hunk: Hunk) => number) => hunks.reduce((all, hunk) => all + count(hunk), 0);
    const counts = { added: sum(({ newLines }) => newLines.length), removed: sum(({ oldLines }) => oldLines.length) };
    if (isBinary(before ?? '') || isBinary(after ?? '')) return { change: 'binary', added: 0, removed: 0 };
    return { change: before === undefined ? 'created' : after === undefined ? 'deleted' : 'edited', ...counts };
  }

  async #decideWhole(decision: ReviewDecision): Promise<void> {
    const { change, added, removed } = this.#wholeChange;
    const now = await this.#checkpoint.left(this.uri);
    const isAccepted = decision === 'accepted';
    const content = isAccepted ? await this.#checkpoint.base(this.uri) : now;
    const block = { type: 'decided', id: this.#wholeId ?? '', decision, added, removed } as const;
    if (isAccepted) await this.#checkpoint.setBase(this.uri, now);
    else await this.#discardWhole();
    const { before } = this.#read;
    const base = isAccepted ? resultOf(this.#read) : before;
    this.#whole = { block, change, content, base };
    this.#read = { ...this.#read, before: base, ...(isAccepted ? {} : { after: base, ...this.#leftOf(base) }) };
  }

  async #discardWhole(): Promise<void> {
    await this.#checkpoint.discard(this.uri);
    if (this.#read.left !== undefined) await this.#checkpoint.setLeft(this.uri, await this.#checkpoint.base(this.uri));
  }

  /** What the run has left, if that is known. */
  #leftOf(text: string | undefined): Pick<ChangedFile, 'left'> {
    return this.#read.left === undefined ? {} : { left: { text } };
  }

  async #undoWhole({ block, content }: WholeDecision): Promise<boolean> {
    if (block.decision === 'accepted') await this.#checkpoint.setBase(this.uri, content);
    else {
      if (this.#read.before !== this.#read.after) return false;
      if (this.#read.left !== undefined) await this.#checkpoint.setLeft(this.uri, content);
      if (content !== undefined) await writeBytes(this.uri, content);
      else await deleteFile(this.uri);
    }
    this.#whole = undefined;
    return true;
  }
}
