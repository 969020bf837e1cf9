import { render } from 'preact';
import { openGalleryPage } from './galleryPage.ts';
import { Overview } from './overview.tsx';
import { type Named, showFirst } from './showState.ts';

const WIDTHS = [340, 560, 900, 1280];
const DEFAULT_WIDTH = 900;

/** Renders the state that the page's address names, or all states side by side. */
export async function openState<State extends Named & { readonly title: string }>(
  states: readonly State[],
  draw: (state: State, root: HTMLElement) => void,
): Promise<void> {
  const { root, theme, state: wanted, width } = await openGalleryPage();
  if (wanted === undefined) {
    render(<Overview states={states} widths={WIDTHS} theme={theme} width={width ?? DEFAULT_WIDTH} />, root);
    return;
  }
  if (width !== undefined) root.style.width = `${width}px`;
  await showFirst(wanted, states, root, draw);
}
