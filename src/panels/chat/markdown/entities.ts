const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;

/** Text of a Markdown token with its character references resolved: `&lt;` is `<`. */
export function resolveEntities(text: string): string {
  return text.includes('&') ? text.replace(REFERENCE, resolve) : text;
}

/** The browser knows the names; the pattern above lets nothing through but a reference. */
function resolve(reference: string): string {
  const field = document.createElement('textarea');
  field.innerHTML = reference;
  return field.value;
}
