import type { TrafficRow } from '../../../pages/traffic/protocol.ts';
import { rowsBefore } from '../rows.ts';
import { nearestFirst, type RowWindow } from '../virtualRows.ts';
import { ExchangeLine, type LineView, lineId } from './exchangeLine.ts';

/** The data that the list shows. */
export interface ListScene {
  readonly rows: readonly TrafficRow[];
  readonly inSight: RowWindow;
  readonly view: LineView;
}

/** Maximum number of blocks in the document: 1,200 rows. */
const MAX_BLOCKS = 120;
/** The time that rendering a block of new rows takes on a slow machine. */
const BLOCK_MS = 5;
/**
 * On a busy machine no idle period is long enough. After this number of short ones, or this time without any, a block
 * is rendered anyway.
 */
const MAX_SHORT_PAUSES = 30;
const MAX_PAUSE_MS = 1_000;

/**
 * The rows of the list that are in the document, grouped in blocks. Visible blocks are rendered immediately, those
 * around them while the page is idle: showing a row that is already in the document costs half as much as creating it.
 * A block keeps its rows when newer ones are added before them.
 */
export class ExchangeLines {
  readonly #room: HTMLElement;
  /** Blocks by number. Numbers become negative as newer exchanges are added. */
  readonly #blocks = new Map<number, RowBlock>();
  /** Numbers of blocks that may be out of date. */
  readonly #due = new Set<number>();
  #scene: ListScene | undefined;
  /** The index of the first row of block 0. */
  #origin = 0;
  #frame: number | undefined;
  #pause: number | undefined;
  #shortPauses = 0;

  constructor(room: HTMLElement) {
    this.#room = room;
  }

  /** @returns how many rows were added before the visible ones. */
  show(scene: ListScene): number {
    const before = this.#scene;
    this.#scene = scene;
    const isSame = before?.rows === scene.rows && before.view === scene.view;
    const added = isSame ? 0 : this.#follow(before, scene);
    const { first, end } = this.#blocksOf(scene.inSight);
    for (let number = first; number < end; number += 1) this.#draw(number, scene);
    if (this.#frame === undefined) this.#drawOthers();
    return added;
  }

  /** Stops rendering. */
  stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    if (this.#pause !== undefined) cancelIdleCallback(this.#pause);
  }

  rowAt(target: EventTarget | null): TrafficRow | undefined {
    const id = target instanceof Element ? target.closest('.line')?.id : undefined;
    return this.#scene?.rows.find((row) => lineId(row.id) === id);
  }

  #follow(before: ListScene | undefined, scene: ListScene): number {
    const added = rowsBefore(before?.inSight.first ?? 0, before?.rows ?? [], scene.rows);
    this.#origin += added ?? 0;
    this.#removeAllBut(this.#blocksOf({ first: 0, end: scene.rows.length }));
    // If the list or its width changes, all rows would have to be laid out within one frame, so only the visible blocks
    // are kept.
    if (added === undefined || before?.view.room !== scene.view.room) this.#removeAllBut(this.#blocksOf(scene.inSight));
    for (const [number, block] of this.#blocks) {
      block.place(this.#firstOf(number), scene.view);
      this.#due.add(number);
    }
    return added ?? 0;
  }

  #drawOthers(): void {
    const isDone = this.#nextDue() === undefined;
    // One block per frame: its layout happens after the idle period, and no period is long enough for the layout of
    // many.
    this.#frame = isDone
      ? undefined
      : requestAnimationFrame(() => (this.#pause = requestIdleCallback(this.#drawInPause, { timeout: MAX_PAUSE_MS })));
  }

  readonly #drawInPause = (pause: IdleDeadline): void => {
    let isDrawn = false;
    this.#shortPauses += 1;
    const isOverdue = pause.didTimeout || this.#shortPauses > MAX_SHORT_PAUSES;
    while (!isDrawn && this.#scene !== undefined && (isOverdue || pause.timeRemaining() > BLOCK_MS)) {
      const number = this.#nextDue();
      if (number === undefined) break;
      isDrawn = this.#draw(number, this.#scene);
      this.#shortPauses = 0;
    }
    this.#drawOthers();
  };

  /** Returns the block to update that is nearest to the visible rows. */
  #nextDue(): number | undefined {
    if (this.#scene === undefined) return undefined;
    const { rows, inSight } = this.#scene;
    const [all, seen] = [this.#blocksOf({ first: 0, end: rows.length }), this.#blocksOf(inSight)];
    const latest = Math.max(all.first, all.end - MAX_BLOCKS);
    const first = Math.min(latest, Math.max(all.first, middleOf(seen) - MAX_BLOCKS / 2));
    const near = { first, end: Math.min(all.end, first + MAX_BLOCKS) };
    return nearestFirst(near, seen).find((number) => this.#due.has(number) || !this.#blocks.has(number));
  }

  #draw(number: number, { rows, view }: ListScene): boolean {
    this.#due.delete(number);
    return this.#blockAt(number).show(this.#firstOf(number), rows, view);
  }

  #blockAt(number: number): RowBlock {
    const known = this.#blocks.get(number);
    if (known !== undefined) return known;
    const block = this.#takeFarthest() ?? new RowBlock();
    const next = Math.min(...[...this.#blocks.keys()].filter((each) => each > number));
    this.#room.insertBefore(block.element, this.#blocks.get(next)?.element ?? null);
    this.#blocks.set(number, block);
    return block;
  }

  /** Returns a block to reuse for other rows, if there are already enough. */
  #takeFarthest(): RowBlock | undefined {
    if (this.#blocks.size < MAX_BLOCKS || this.#scene === undefined) return undefined;
    const middle = middleOf(this.#blocksOf(this.#scene.inSight));
    const distance = (number: number) => Math.abs(number - middle);
    const farthest = [...this.#blocks.keys()].reduce((a, b) => (distance(b) > distance(a) ? b : a));
    const block = this.#blocks.get(farthest);
    this.#remove(farthest);
    return block;
  }

  #removeAllBut({ first, end }: RowWindow): void {
    for (const number of [...this.#blocks.keys()]) {
      if (number < first || number >= end) this.#remove(number);
    }
  }

  #remove(number: number): void {
    this.#blocks.get(number)?.element.remove();
    this.#blocks.delete(number);
    this.#due.delete(number);
  }

  #firstOf(number: number): number {
    return this.#origin + number * BLOCK_ROWS;
  }

  #blocksOf({ first, end }: RowWindow): RowWindow {
    const numberOf = (index: number) => Math.floor((index - this.#origin) / BLOCK_ROWS);
    return first < end ? { first: numberOf(first), end: numberOf(end - 1) + 1 } : { first: 0, end: 0 };
  }
}

function middleOf({ first, end }: RowWindow): number {
  return Math.floor((first + end) / 2);
}

/** Number of rows that are created and positioned together. */
const BLOCK_ROWS = 10;

/** Consecutive rows of the list, as one element. The first and the last block of the list may have gaps. */
class RowBlock {
  readonly element = document.createElement('div');
  readonly #lines: (ExchangeLine | undefined)[] = Array.from({ length: BLOCK_ROWS });

  constructor() {
    this.element.className = 'row-block';
    this.element.setAttribute('role', 'presentation');
  }

  /** @param first index of the first row in the block; negative if the list begins within the block. */
  place(first: number, { rowHeight }: LineView): void {
    const top = `${Math.max(0, first) * rowHeight}px`;
    if (this.element.style.top !== top) this.element.style.top = top;
  }

  /** @returns whether a row was updated: a row with the same exchange and the same appearance is left unchanged. */
  show(first: number, rows: readonly TrafficRow[], view: LineView): boolean {
    this.place(first, view);
    let isDrawn = false;
    // In reverse order, so that a new row finds the element to be inserted before.
    for (let place = BLOCK_ROWS - 1; place >= 0; place -= 1) {
      const row = rows[first + place];
      if (row === undefined) this.#clear(place);
      else if (this.#lineAt(place).show(row, first + place, view)) isDrawn = true;
    }
    return isDrawn;
  }

  #lineAt(place: number): ExchangeLine {
    const known = this.#lines[place];
    if (known !== undefined) return known;
    const line = new ExchangeLine();
    this.element.insertBefore(line.element, this.#lines[place + 1]?.element ?? null);
    this.#lines[place] = line;
    return line;
  }

  #clear(place: number): void {
    this.#lines[place]?.element.remove();
    this.#lines[place] = undefined;
  }
}
