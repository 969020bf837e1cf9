/**
 * Whether a glob of a file with instructions matches a path of the workspace. As in the editor, a glob without `/` or `**`
 * at its beginning matches in every folder.
 */
export function matchesGlob(glob: string, path: string): boolean {
  const anchored = glob.startsWith('/') ? glob.slice(1) : glob.replace(/^\.\//, '');
  const isAnywhere = !glob.startsWith('/') && !anchored.startsWith('**/');
  return expand(anchored).some((one) => expressionOf(isAnywhere ? `**/${one}` : one).test(path));
}

/** Replaces `{a,b}` by one glob for each choice. Braces within braces are expanded from the inside. */
function expand(glob: string): readonly string[] {
  const braces = /\{([^{}]*)\}/.exec(glob);
  if (braces === null) return [glob];
  const [before, after] = [glob.slice(0, braces.index), glob.slice(braces.index + braces[0].length)];
  return (braces[1] ?? '').split(',').flatMap((choice) => expand(`${before}${choice.trim()}${after}`));
}

function expressionOf(glob: string): RegExp {
  const parts = glob.split('/').map((part) => (part === '**' ? undefined : partExpression(part)));
  let source = '';
  parts.forEach((part, index) => {
    const isLast = index === parts.length - 1;
    if (part !== undefined) source += isLast ? part : `${part}/`;
    else source += isLast ? '.*' : '(?:[^/]+/)*';
  });
  return new RegExp(`^${source}$`, 'u');
}

function partExpression(part: string): string {
  const tokens = part.match(/\[!?[^\]]+\]|\*+|\?|[^*?[]+|\[/g) ?? [];
  return tokens.map(tokenExpression).join('');
}

function tokenExpression(token: string): string {
  if (token.startsWith('*')) return '[^/]*';
  if (token === '?') return '[^/]';
  if (token.length > 1 && token.startsWith('[')) return classExpression(token);
  return token.replace(/[.+^$()|\\[\]{}/]/g, '\\$&');
}

/** A range in the wrong order is a plain text, as in the editor. */
function classExpression(token: string): string {
  const members = token.slice(1, -1).replace(/^!/, '');
  const escaped = members.replace(/[\\\]^]/g, '\\$&');
  const source = token.startsWith('[!') ? `[^/${escaped}]` : `[${escaped}]`;
  try {
    new RegExp(source, 'u');
    return source;
  } catch {
    return token.replace(/[.+^$()|\\[\]{}/]/g, '\\$&');
  }
}
