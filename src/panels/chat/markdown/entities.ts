const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;

/** Text of a Markdown token with its character references resolved: `&lt;` is `<`. */
export function resolveEntities(text: string): string {
  return text.includes('&') ? text.replace(REFERENCE, resolve) : text;
}

/** Each reference is resolved once: a text may be made of nothing else. */
const known = new Map<string, string>();
const MAX_KNOWN = 10_000;

function resolve(reference: string): string {
  const resolved = known.get(reference) ?? asTheBrowserDoes(reference);
  if (known.size < MAX_KNOWN) known.set(reference, resolved);
  return resolved;
}

/** The browser knows the names; the pattern above lets nothing through but a reference. */
function asTheBrowserDoes(reference: string): string {
  const field = document.createElement('textarea');
  field.innerHTML = reference;
  return field.value;
}
