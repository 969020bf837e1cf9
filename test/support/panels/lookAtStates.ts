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
 * Looks at each state in several ways, in a page that shows one state after the other, so that the browser compiles the
 * panel and axe once.
 *
 * @returns for each look, the faults that it has found.
 * @throws if there were errors in the page.
 */
export async function lookAtStates<Name extends string>(
  { panel, states, language, page = {} }: StatesToShow,
  looks: Readonly<Record<Name, Look>>,
): Promise<Readonly<Record<Name, readonly string[]>>> {
  const named = Object.entries(looks) as [Name, Look][];
  const found = Object.fromEntries(named.map(([name]) => [name, [] as string[]])) as Record<Name, string[]>;
  const gallery = await GalleryPage.open(page);
  try {
    for (const state of states) {
      await gallery.resize(page.viewport ?? SIDE_BAR);
      await gallery.show(state, { panel, ...(language && { language }) });
      for (const [name, look] of named) {
        found[name].push(...(await look(gallery, state)).map((fault) => `${state}: ${fault}`));
      }
    }
  } finally {
    await gallery.close();
  }
  return found;
}
