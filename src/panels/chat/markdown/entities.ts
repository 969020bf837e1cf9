const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;

/** Resolves the character references in the text of a Markdown token: `&lt;` becomes `<`. */
export function resolveEntities(text: string): string {
  return text.includes('&') ? text.replace(REFERENCE, resolve) : text;
}

/** Each reference is resolved once, because a text may consist of nothing but references. */
const known = new Map<string, string>();
const MAX_KNOWN = 10_000;

function resolve(reference: string): string {
  const resolved = known.get(reference) ?? asTheBrowserDoes(reference);
  if (known.size < MAX_KNOWN) known.set(reference, resolved);
  return resolved;
}

/** Lets the browser resolve the name. The pattern above accepts nothing but a reference. */
function asTheBrowserDoes(reference: string): string {
  const field = document.createElement('textarea');
  field.innerHTML = reference;
  return field.value;
}
