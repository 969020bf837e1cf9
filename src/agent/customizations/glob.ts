/** A glob stands for at most as many globs without braces. Further ones are ignored. */
const MAX_CHOICES = 256;
/** A longer glob matches nothing. */
const MAX_LENGTH = 1_000;

/**
 * Whether a glob of a file with instructions matches a path of the workspace. As in the editor, a glob without `/` or `**`
 * at its beginning matches in every folder. No expression that backtracks is made of it: a repository chooses its globs.
 */
export function matchesGlob(glob: string, path: string): boolean {
  const anchored = glob.startsWith('/') ? glob.slice(1) : glob.replace(/^\.\//, '');
  const isAnywhere = !glob.startsWith('/') && !anchored.startsWith('**/');
  const parts = path.split('/');
  if (glob.length > MAX_LENGTH) return false;
  return expand(anchored).some((one) => matchesParts((isAnywhere ? `**/${one}` : one).split('/'), parts));
}

/** Replaces `{a,b}` by one glob for each choice. Braces within braces are expanded from the inside. */
function expand(glob: string): readonly string[] {
  const expanded: string[] = [];
  const open = [glob];
  while (open.length > 0 && expanded.length + open.length <= MAX_CHOICES) {
    const next = open.pop() ?? '';
    const braces = /\{([^{}]*)\}/.exec(next);
    if (braces === null) {
      expanded.push(next);
      continue;
    }
    const [before, after] = [next.slice(0, braces.index), next.slice(braces.index + braces[0].length)];
    for (const choice of (braces[1] ?? '').split(',')) open.push(`${before}${choice.trim()}${after}`);
  }
  return expanded;
}

function matchesParts(glob: readonly string[], path: readonly string[]): boolean {
  /** The numbers of the path's parts that the parts of the glob up to here can match. */
  let reached: readonly number[] = [0];
  for (const [index, part] of glob.entries()) {
    const first = reached[0];
    if (first === undefined) return false;
    if (part === '**') {
      const isLast = index === glob.length - 1;
      const all = Array.from({ length: path.length - first + 1 }, (_, nth) => first + nth);
      reached = isLast ? all.slice(1).slice(-1) : all;
    } else {
      const tokens = part.match(/\[!?[^\]]+\]|\*+|[\s\S]/gu) ?? [];
      reached = reached.filter((at) => at < path.length && matchesPart(tokens, path[at] ?? '')).map((at) => at + 1);
    }
  }
  return reached.includes(path.length);
}

function matchesPart(tokens: readonly string[], text: string): boolean {
  const letters = [...text];
  let [at, token] = [0, 0];
  /** Where the latest star is, and the letters that it has matched end. */
  let star: { readonly token: number; at: number } | undefined;
  while (at < letters.length) {
    if (tokens[token]?.startsWith('*')) {
      star = { token, at };
      token += 1;
    } else if (token < tokens.length && matchesLetter(tokens[token] ?? '', letters[at] ?? '')) {
      at += 1;
      token += 1;
    } else if (star !== undefined) {
      star.at += 1;
      at = star.at;
      token = star.token + 1;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest.startsWith('*'));
}

/** A range in the wrong order matches nothing. */
function matchesLetter(token: string, letter: string): boolean {
  if (token === '?' || token === letter) return true;
  if (token.length === 1 || !token.startsWith('[')) return false;
  const isNegated = token.startsWith('[!');
  const members = token.slice(isNegated ? 2 : 1, -1).replace(/[\\\]^]/g, '\\$&');
  try {
    return new RegExp(`[${members}]`, 'u').test(letter) !== isNegated;
  } catch {
    return false;
  }
}
