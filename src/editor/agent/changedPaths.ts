/** The paths in the heads of a diff, before and after. */
export function changedPaths(diff: string): readonly string[] {
  return [...diff.matchAll(/^(?:---|\+\+\+) "?[ab]\/([^"\t\n\r]+)/gm)].map(([, path = '']) => path);
}
