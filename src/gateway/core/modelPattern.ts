/** Whether the name matches one of the patterns, see {@link matches}. */
export function matchesAny(patterns: readonly string[], model: string): boolean {
  return patterns.some((pattern) => matches(pattern, model));
}

/**
 * Whether the name matches the pattern, in which `*` stands for any text, including none. Reads the name only once,
 * whatever the pattern, because callers choose the name.
 */
export function matches(pattern: string, model: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return model === first;
  if (!model.startsWith(first) || !model.endsWith(last) || model.length < first.length + last.length) return false;
  const end = model.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = model.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
