import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { ChangedFile, Checkpoint } from '../checkpoints.ts';
import { writeBytes, writeText } from '../files.ts';
import { statOf } from '../statOf.ts';
import type { DecidedChange, FileChange, ReviewBlock, ReviewDecision } from './protocol.ts';
import { reviewBlocks } from './reviewBlocks.ts';
import { type TextPair, TextReview } from './textReview.ts';

/** A decision about a file as a whole, and what takes it back. */
interface WholeDecision {
  readonly block: DecidedChange;
  readonly change: FileChange;
  /** What undoing it gives back: what the file was compared with if it was accepted, or else the file itself. */
  readonly content: Uint8Array | undefined;
  /** What the file is compared with since the decision. */
  readonly base: string | undefined;
}

/** What is left to decide about a file, and what was decided. */
export interface FileView {
  readonly change: FileChange;
  readonly blocks: readonly ReviewBlock[];
  readonly open: readonly string[];
  readonly added: number;
  readonly removed: number;
}

/** The changes of one file, and the decisions about them. A file that is created, deleted, or not text is one change. */
export class FileReview {
  readonly uri: vscode.Uri;
  readonly #checkpoint: Checkpoint;
  readonly #text = new TextReview();
  #whole: WholeDecision | undefined;
  #read: ChangedFile;

  constructor(read: ChangedFile, checkpoint: Checkpoint) {
    this.uri = read.uri;
    this.#read = read;
    this.#checkpoint = checkpoint;
  }

  /** Takes what the file and its base contain now. */
  update(read: ChangedFile): void {
    this.#read = read;
    this.#text.dropOutdated(this.#pair);
    // The run was restored, or has done again what was discarded.
    const isRedone = this.#whole?.block.decision === 'discarded' && this.#wholeId !== undefined;
    if (isRedone || this.#whole?.base !== read.before) this.#whole = undefined;
  }

  get view(): FileView {
    const pair = this.#pair;
    const whole = this.#whole;
    if (pair === undefined) return this.#wholeView;
    const open = this.#text.open(pair);
    const sum = (count: (hunk: (typeof open)[number]) => number) => open.reduce((all, one) => all + count(one), 0);
    const blocks = reviewBlocks(pair.base, open, this.#text.decided);
    return {
      change: open.length === 0 && whole !== undefined ? whole.change : 'edited',
      blocks: [...(whole === undefined ? [] : [whole.block]), ...blocks],
      open: open.map(({ id }) => id),
      added: sum(({ newLines }) => newLines.length),
      removed: sum(({ oldLines }) => oldLines.length),
    };
  }

  /** Returns whether all of these changes were still there. Those that were not are left alone. */
  async decide(ids: ReadonlySet<string>, decision: ReviewDecision): Promise<boolean> {
    const decided = new Set([
      ...this.#text.decided.map(({ id }) => id),
      ...(this.#whole ? [this.#whole.block.id] : []),
    ]);
    const open = new Set(this.view.open);
    const chosen = new Set([...ids].filter((id) => open.has(id)));
    const pair = this.#pair;
    if (chosen.size > 0 && pair === undefined) await this.#decideWhole(decision);
    if (chosen.size > 0 && pair !== undefined) await this.#save(pair, this.#text.decide(pair, chosen, decision));
    return [...ids].every((id) => chosen.has(id) || decided.has(id));
  }

  /** Takes a decision back, if there is one. Returns false if the file no longer is as the decision left it. */
  async undo(id: string): Promise<boolean> {
    if (this.#whole?.block.id === id) return this.#undoWhole(this.#whole);
    if (!this.#text.decided.some((decided) => decided.id === id)) return true;
    const pair = this.#pair;
    const undone = pair && this.#text.undo(pair, id);
    if (pair === undefined || undone === undefined) return false;
    await this.#save(pair, undone);
    return true;
  }

  /** Undefined unless the file is a text that was and is there. */
  get #pair(): TextPair | undefined {
    const { before, after } = this.#read;
    if (before === undefined || after === undefined || isBinary(before) || isBinary(after)) return undefined;
    return { base: before, current: after };
  }

  async #save(before: TextPair, { base, current }: TextPair): Promise<void> {
    if (base !== before.base) {
      await this.#checkpoint.setBase(this.uri, await vscode.workspace.encode(base, { uri: this.uri }));
    }
    if (current !== before.current) await writeText(this.uri, current);
    this.#read = { ...this.#read, before: base, after: current };
  }

  get #wholeView(): FileView {
    const id = this.#wholeId;
    const decided = this.#whole;
    const { added, removed, change } = this.#wholeChange;
    const blocks: readonly ReviewBlock[] = [
      ...(decided === undefined ? [] : [decided.block]),
      ...(id === undefined ? [] : [{ type: 'change', id, lines: [], hidden: 0 } as const]),
    ];
    if (id === undefined) return { change: decided?.change ?? change, blocks, open: [], added: 0, removed: 0 };
    return { change, blocks, open: [id], added, removed };
  }

  /** Undefined if the file is as it was accepted. */
  get #wholeId(): string | undefined {
    const { before, after } = this.#read;
    if (this.#pair !== undefined || before === after) return undefined;
    return createHash('sha256')
      .update(JSON.stringify([before, after]))
      .digest('hex')
      .slice(0, 16);
  }

  get #wholeChange(): { readonly change: FileChange; readonly added: number; readonly removed: number } {
    const { before, after } = this.#read;
    const counts = { added: linesIn(after), removed: linesIn(before) };
    if (isBinary(before) || isBinary(after)) return { change: 'binary', added: 0, removed: 0 };
    return { change: before === undefined ? 'created' : after === undefined ? 'deleted' : 'edited', ...counts };
  }

  async #decideWhole(decision: ReviewDecision): Promise<void> {
    const { change, added, removed } = this.#wholeChange;
    const now = (await statOf(this.uri)) === undefined ? undefined : await vscode.workspace.fs.readFile(this.uri);
    const isAccepted = decision === 'accepted';
    const content = isAccepted ? await this.#checkpoint.base(this.uri) : now;
    const block = { type: 'decided', id: this.#wholeId ?? '', decision, added, removed } as const;
    if (isAccepted) await this.#checkpoint.setBase(this.uri, now);
    else await this.#checkpoint.discard(this.uri);
    const { before, after } = this.#read;
    const base = isAccepted ? after : before;
    this.#whole = { block, change, content, base };
    this.#read = { uri: this.uri, before: base, after: base };
  }

  async #undoWhole({ block, content }: WholeDecision): Promise<boolean> {
    if (block.decision === 'accepted') await this.#checkpoint.setBase(this.uri, content);
    else {
      if (this.#read.before !== this.#read.after) return false;
      if (content !== undefined) await writeBytes(this.uri, content);
      else await vscode.workspace.fs.delete(this.uri, { useTrash: false });
    }
    this.#whole = undefined;
    return true;
  }
}

function isBinary(text: string | undefined): boolean {
  return text?.includes('\0') === true;
}

function linesIn(text: string | undefined): number {
  return text === undefined || text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
