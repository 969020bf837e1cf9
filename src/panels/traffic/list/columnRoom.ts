import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Width available for texts of any length, by column, in CSS pixels. */
export interface ColumnRoom {
  readonly tool: number;
  readonly model: number;
}

const NO_LIMIT: ColumnRoom = { tool: Number.POSITIVE_INFINITY, model: Number.POSITIVE_INFINITY };

/** Returns the widths, measured at the header of the list and updated when the list is resized. */
export function useColumnRoom(head: RefObject<HTMLElement | null>): ColumnRoom {
  const [room, setRoom] = useState(NO_LIMIT);
  useLayoutEffect(() => {
    const { current } = head;
    if (current === null) return;
    const measure = () => {
      const [tool, model] = [roomOf(current, '.tool'), roomOf(current, '.model')];
      setRoom((before) => (before.tool === tool && before.model === model ? before : { tool, model }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [head]);
  return room;
}

function roomOf(head: HTMLElement, selector: string): number {
  const cell = head.querySelector(selector);
  if (cell === null) return Number.POSITIVE_INFINITY;
  return cell.clientWidth - Number.parseFloat(getComputedStyle(cell).paddingInlineEnd);
}

const widths = new Map<string, number>();
const MAX_WIDTHS = 1_000;
let canvas: CanvasRenderingContext2D | null | undefined;

/**
 * Returns the width of a text in the page's small font, in CSS pixels. Cached, because lists show few different names.
 */
export function textWidth(text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  canvas ??= document.createElement('canvas').getContext('2d');
  if (canvas === null) return Number.POSITIVE_INFINITY;
  const { fontFamily } = getComputedStyle(document.body);
  const size = getComputedStyle(document.documentElement).getPropertyValue('--size-small') || '13px';
  canvas.font = `${size} ${fontFamily}`;
  const { width } = canvas.measureText(text);
  if (widths.size >= MAX_WIDTHS) widths.clear();
  widths.set(text, width);
  return width;
}
