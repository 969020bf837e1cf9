import { render } from 'preact';
import { isLoading } from '../../../src/panels/shared/late.ts';

export interface Named {
  readonly name: string;
}

declare global {
  interface Window {
    /**
     * For tests: replaces the state that is shown by another one, which takes a fraction of the work of loading the
     * page. Settles when the state is complete, with the parts that are loaded late, except for diagrams.
     */
    showState: (name: string) => Promise<void>;
  }
}

/** Shows a state of the gallery, marks the page when it is complete, and lets tests replace it by another one. */
export async function showFirst<State extends Named>(
  name: string,
  states: readonly State[],
  root: HTMLElement,
  draw: (state: State, root: HTMLElement) => void,
): Promise<void> {
  window.showState = async (wanted) => {
    const state = states.find((each) => each.name === wanted);
    if (state === undefined) throw new Error(`The gallery has no state “${wanted}”.`);
    render(null, root);
    draw(state, root);
    await drawn();
  };
  await window.showState(name);
  document.documentElement.dataset.shown = 'yes';
}

/**
 * Waits until what a state does in the first frame after the fonts have loaded is drawn, such as opening a menu, and until
 * the parts that it needs are loaded and drawn, which may need others.
 */
async function drawn(): Promise<void> {
  await nextFrame();
  await document.fonts.ready;
  do {
    await nextFrame();
    await nextFrame();
  } while (isLoading());
}

/** Waits for a frame and for the effects of what was rendered before it, which run in a task after the frame. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
