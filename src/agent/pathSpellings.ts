/** A place in a file behind its path: `a.ts:12`, `a.ts:12-20`, `a.ts:12:5`, or `a.ts#L12`. */
const LINES = /(?::\d+(?:[-:–]\d+)?|#L\d+(?:-L?\d+)?)$/;
const QUOTES = /^(["'`<])(.*)(["'`>])$/s;

/**
 * Returns what else a path may mean that does not exist as it is written: without quotes, the `@` of a mention, a line
 * number, and the slash that some models put before the path in the workspace.
 */
export function pathSpellings(written: string): readonly string[] {
  const unquoted = written.replace(QUOTES, '$2').trim();
  const named = unquoted.replace(/^@(?=.)/, '');
  const file = named.replace(LINES, '');
  const relative = file.replace(/^[\\/]+(?=.)/, '');
  return [...new Set([unquoted, named, file, relative])].filter((one) => one !== written && one !== '');
}
