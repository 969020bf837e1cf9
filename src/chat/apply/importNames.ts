/** The names that an import makes known, by which another version of it is recognized. */

/** Returns no names for imports that do not list them, such as those of a header, of a whole package, or for side effects. */
export function importedNames(lines: readonly string[]): readonly string[] {
  const text = lines
    .map((line) => line.replace(/\s*(?:\/\/|#).*$/, '').trim())
    .join(' ')
    .replace(/;\s*$/, '');
  const clause =
    /^from\s+[\w.]+\s+import\s+(.*)$/.exec(text)?.[1] ?? /^import\s+(?:type\s+)?(.+?)\s+from\s/.exec(text)?.[1];
  if (clause !== undefined) return namesIn(clause);
  const modules = /^import\s+(\w+(?:\s*,\s*\w+)+)$/.exec(text)?.[1];
  if (modules !== undefined) return namesIn(modules);
  const path = /^(?:pub(?:\([^)]*\))?\s+)?(?:use|extern\s+crate)\s+(.*)$/.exec(text)?.[1];
  if (path !== undefined) return namesOfPath(path);
  const [, owner = '', name] =
    /^import\s+(?:static\s+)?(?:[\w.`-]+\.)?([\w`-]+)\.(\w+(?:\s+as\s+\w+)?)$/.exec(text) ?? [];
  // The packages of Python have lowercase names, and one name can stand for several of their modules.
  const isMember = /^[`-]*[A-Z]/.test(owner);
  return name === undefined || !(isMember || /^[A-Z]| as /.test(name)) ? [] : namesIn(name);
}

/** Names such as `a, {b as c, type d}`, of which the last word is what the code uses. */
function namesIn(clause: string): readonly string[] {
  return clause.split(/[{}(),]/).flatMap((part) => /[\w$]+$/.exec(part.trim())?.[0] ?? []);
}

/** Names of a path of Rust, such as `a::{b::C, d::{self, E as F}}`, or of PHP. */
function namesOfPath(path: string): readonly string[] {
  const [, before = '', list] = /^([^{]*?)(?:\{(.*)\})?$/.exec(path.trim()) ?? [];
  if (list === undefined) return namesIn(before.endsWith('*') ? '' : before);
  const owner = /(\w+)::\s*$/.exec(before)?.[1] ?? '';
  return partsOf(list).flatMap((part) => (part.trim() === 'self' ? [owner] : namesOfPath(part)));
}

/** Divides a list at the commas that are not within braces. */
function partsOf(list: string): readonly string[] {
  let depth = 0;
  const parts = [''];
  for (const sign of list) {
    if (sign === '{') depth += 1;
    if (sign === '}') depth -= 1;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.filter((part) => part.trim() !== '');
}
