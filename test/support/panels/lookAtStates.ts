import { GalleryPage, type GalleryPageOptions, type PanelName, SIDE_BAR } from './galleryPage.ts';

/** Returns what is wrong with the state that a page shows. Undoes what it has changed, except for the page's size. */
export type Look = (gallery: GalleryPage, state: string) => Promise<readonly string[]>;

interface StatesToShow {
  readonly panel: PanelName;
  readonly states: readonly string[];
  /** English by default. */
  readonly language?: string;
  readonly page?: GalleryPageOptions;
}

/**
 * Looks at each state in several ways, in one of two pages that work at the same time: a page keeps one core busy, and
 * every machine has two. A page is loaded once and then shows one state after the other, so that the browser compiles
 * the panel and axe once.
 *
 * @returns for each look, the faults that it has found.
 * @throws if there were errors in a page.
 */
export async function lookAtStates<Name extends string>(
  { panel, states, language, page = {} }: StatesToShow,
  looks: Readonly<Record<Name, Look>>,
): Promise<Readonly<Record<Name, readonly string[]>>> {
  const named = Object.entries(looks) as [Name, Look][];
  const found = Object.fromEntries(named.map(([name]) => [name, [] as string[]])) as Record<Name, string[]>;
  const left = [...states];
  const lookAtNext = async (): Promise<void> => {
    const gallery = await GalleryPage.open(page);
    try {
      let isLoaded = false;
      for (let state = left.shift(); state !== undefined; state = left.shift()) {
        await gallery.page.setViewportSize(page.viewport ?? SIDE_BAR);
        if (isLoaded) await gallery.showNext(state);
        else await gallery.show(state, { panel, ...(language && { language }) });
        isLoaded = true;
        for (const [name, look] of named) {
          found[name].push(...(await look(gallery, state)).map((fault) => `${state}: ${fault}`));
        }
      }
    } finally {
      left.length = 0;
      await gallery.close();
    }
  };
  const ended = await Promise.allSettled([lookAtNext(), lookAtNext()]);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return found;
}
