const FIRST_LINE = /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(?:file(?:name)?:\s*)?([^\s*]+\.\w{1,12})\s*(?:\*\/|-->)?\s*$/i;

/** The path of a file where code begins with a comment that is one, as in `// src/session.ts`. */
export function pathInComment(code: string): readonly string[] {
  const path = FIRST_LINE.exec(code.split('\n', 1)[0] ?? '')?.[1];
  return path === undefined ? [] : [path];
}
