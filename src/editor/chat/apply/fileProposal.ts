import type * as vscode from 'vscode';
import { removedItems } from '../../../chat/apply/removedItems.ts';
import { hunksBetween } from '../../../chat/review/hunks.ts';
import { LineLimits } from '../../../chat/review/lineLimits.ts';
import { rebased } from '../../../chat/review/rebasedHunks.ts';
import { type TextPair, TextReview } from '../../../chat/review/textReview.ts';
import type { ReviewDecision } from '../../../pages/agentReview/protocol.ts';
import { hasUnsavedText } from '../../documents/hasUnsavedText.ts';
import { type FileView, viewOfText } from '../review/fileView.ts';
import { documentOf, writeText } from './targetDocument.ts';

/** A proposal as it is kept for a reload of the window. */
export interface KeptProposal extends TextPair {
  readonly uri: string;
}

/**
 * The proposed text of a file. An accepted change becomes part of the base and is written to the file's editor, a
 * discarded one is removed from the proposed text. What else is in the file are the user's own edits, which stay.
 */
export class FileProposal {
  uri: vscode.Uri;
  /** The text from before the first accepted change, and whether it was saved. */
  readonly original: { readonly text: string; readonly isSaved: boolean };
  readonly #review = new TextReview();
  readonly #limits = new LineLimits();
  #pair: TextPair;
  #named: { readonly pair: TextPair; readonly removes: readonly string[] } | undefined;
  /** The file's text with the user's edits. Undefined if the file no longer exists. */
  #now: string | undefined;
  /** The accepted changes by the text of the file that they have led to, for the editor's own undo and redo. */
  readonly #acceptedAt = new Map<string, ReadonlySet<string>>();

  constructor(document: vscode.TextDocument, pair: TextPair) {
    this.uri = document.uri;
    this.#pair = pair;
    this.#now = document.getText();
    this.original = { text: this.#now, isSaved: !hasUnsavedText(document) };
    this.#acceptedAt.set(this.#now, new Set());
  }

  get kept(): KeptProposal {
    return { uri: this.uri.toString(), ...this.#pair };
  }

  get exists(): boolean {
    return this.#now !== undefined;
  }

  /** The first line that was accepted, counted from 0. */
  get firstAcceptedLine(): number {
    return this.#review.decided.find(({ decision }) => decision === 'accepted')?.start ?? 0;
  }

  /** The text with the proposed changes, and without the user's edits. */
  get proposed(): string {
    return this.#pair.current;
  }

  /** The IDs of the accepted changes. */
  get accepted(): ReadonlySet<string> {
    return new Set(this.#review.decided.flatMap(({ id, decision }) => (decision === 'accepted' ? [id] : [])));
  }

  get openCount(): number {
    return this.#review.open(this.#pair).length;
  }

  /** The number of open and decided changes. */
  get count(): number {
    return this.openCount + this.#review.decided.length;
  }

  get view(): FileView {
    const view = viewOfText(this.#review, this.#pair, (ids) => this.#editedOf(ids), this.#limits);
    const removes = this.#removes;
    return {
      ...view,
      change: 'edited',
      isEdited: this.#text !== this.#pair.base,
      ...(removes.length > 0 && { removes }),
    };
  }

  /** Reads the file. */
  async update(): Promise<void> {
    this.#now = (await documentOf(this.uri))?.getText();
    const accepted = this.#acceptedAt.get(this.#text);
    if (accepted !== undefined) this.#follow(accepted);
  }

  /** Adds changes that were proposed for the file's text. Returns false if they contradict the open ones. */
  add({ base, current }: TextPair): boolean {
    const { text, rejected } = rebased(hunksBetween(base, current), base, this.#pair.current);
    if (rejected.length > 0) return false;
    this.#pair = { ...this.#pair, current: text };
    return true;
  }

  showAll(id: string): void {
    this.#limits.showAll(id);
  }

  /** Like {@link FileReview.decide} of the agent: a change whose lines the user has edited is not accepted. */
  async decide(ids: ReadonlySet<string>, decision: ReviewDecision): Promise<boolean> {
    const known = new Set(this.#review.decided.map(({ id }) => id));
    const asked = new Set(this.view.open.filter((id) => ids.has(id)));
    const edited = decision === 'accepted' ? this.#editedOf(asked) : new Set();
    const chosen = new Set([...asked].filter((id) => !edited.has(id)));
    if (decision === 'accepted') await this.#write(this.#with(chosen));
    this.#pair = this.#review.decide(this.#pair, chosen, decision);
    this.#acceptedAt.set(this.#text, this.accepted);
    return [...ids].every((id) => chosen.has(id) || known.has(id));
  }

  /** Takes decisions back, with one edit. Returns false if lines of any of them were edited since. */
  async undo(ids: Iterable<string>): Promise<boolean> {
    const before = this.#pair.base;
    const rebase = ({ base }: TextPair) => rebased(hunksBetween(before, base), before, this.#text);
    let pair = this.#pair;
    const misfits = [...ids].filter((id) => {
      const undone = this.#review.undo(pair, id, (texts) => rebase(texts).rejected.length === 0);
      pair = undone ?? pair;
      return undone === undefined && this.#review.decided.some((one) => one.id === id);
    });
    await this.#write(rebase(pair).text);
    this.#pair = pair;
    this.#acceptedAt.set(this.#text, this.accepted);
    return misfits.length === 0;
  }

  /** The names of what the open changes remove, read once for each version of the texts. */
  get #removes(): readonly string[] {
    if (this.#named?.pair !== this.#pair) {
      const { base, current } = this.#pair;
      this.#named = { pair: this.#pair, removes: removedItems(base, current, this.uri.path) };
    }
    return this.#named.removes;
  }

  get #text(): string {
    return this.#now ?? this.#pair.base;
  }

  /** The file's text with these changes. */
  #with(ids: ReadonlySet<string>): string {
    const hunks = this.#review.open(this.#pair).filter(({ id }) => ids.has(id));
    return rebased(hunks, this.#pair.base, this.#text).text;
  }

  /** Those changes whose lines the user has edited. */
  #editedOf(ids: ReadonlySet<string>): ReadonlySet<string> {
    const hunks = this.#review.open(this.#pair).filter(({ id }) => ids.has(id));
    const { rejected } = rebased(hunks, this.#pair.base, this.#text);
    return new Set(hunks.filter((hunk) => rejected.includes(hunk)).map(({ id }) => id));
  }

  async #write(text: string): Promise<void> {
    if (text === this.#text) return;
    await writeText(this.uri, text);
    this.#now = (await documentOf(this.uri))?.getText();
  }

  /** The editor's own undo takes decisions back, and redo makes them again. */
  #follow(accepted: ReadonlySet<string>): void {
    for (const id of this.accepted) {
      if (!accepted.has(id)) this.#pair = this.#review.undo(this.#pair, id) ?? this.#pair;
    }
    this.#pair = this.#review.decide(this.#pair, accepted, 'accepted');
  }
}
