/** The position of an element in its scroller after the call; `nearest` scrolls only as far as needed. */
type Position = 'nearest' | 'start' | 'center';

/**
 * Scrolls an element into view within its page. `scrollIntoView` would scroll the frames around the page, too, which
 * moves the page within the editor.
 */
export function reveal(element: Element | null | undefined, position: Position = 'nearest'): void {
  if (!element) return;
  const scroller = scrollerOf(element);
  const view = viewOf(scroller);
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const top = box.top - (Number.parseFloat(style.scrollMarginTop) || 0) - view.top;
  const bottom = box.bottom + (Number.parseFloat(style.scrollMarginBottom) || 0) - view.top;
  scroller.scrollTop += distance(top, bottom, view.height, position);
}

function distance(top: number, bottom: number, height: number, position: Position): number {
  if (position === 'start') return top;
  if (position === 'center') return (top + bottom - height) / 2;
  if (top < 0 && bottom > height) return 0;
  const isTaller = bottom - top > height;
  if (top < 0) return isTaller ? bottom - height : top;
  if (bottom > height) return isTaller ? top : bottom - height;
  return 0;
}

function scrollerOf(element: Element): Element {
  for (let each = element.parentElement; each !== null; each = each.parentElement) {
    const { overflowY } = getComputedStyle(each);
    if (/auto|scroll/.test(overflowY) && each.scrollHeight > each.clientHeight) return each;
  }
  return document.scrollingElement ?? document.documentElement;
}

/** The document's scroller has the height of the document as its box. */
function viewOf(scroller: Element): { readonly top: number; readonly height: number } {
  if (scroller === document.scrollingElement) return { top: 0, height: innerHeight };
  return { top: scroller.getBoundingClientRect().top, height: scroller.clientHeight };
}
