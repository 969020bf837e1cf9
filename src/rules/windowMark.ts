/**
 * The mark of a window of the editor, with which the requests of its terminals name their window. It is random, says
 * nothing about the window, and grants access to nothing.
 */

/** The request header for clients whose address is the same in all windows. */
export const WINDOW_HEADER = 'x-model-access-window';

/** The variable in terminals with the header's value. */
export const WINDOW_VARIABLE = 'MODEL_ACCESS_WINDOW';

const MARKED_PATH = /^\/window\/([\w-]{1,64})(?=\/|$)/;

/** Adds the mark to an address of the gateway, in front of its path. */
export function markedAddress(address: string, mark: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}/window/${mark}${pathname}`;
}

/** Returns the mark in a path and the rest of the path, or undefined if the path has no mark. */
export function readMarkedPath(path: string): { readonly window: string; readonly rest: string } | undefined {
  const [marked, window] = MARKED_PATH.exec(path) ?? [];
  return marked === undefined || window === undefined ? undefined : { window, rest: path.slice(marked.length) };
}
