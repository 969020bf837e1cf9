/** A codicon. It is hidden from assistive technology, because the text or label next to it has its meaning. */
export function Icon({ name, size = 16 }: { readonly name: string; readonly size?: 12 | 14 | 16 }) {
  return <span class={`codicon codicon-${name} icon-${size}`} aria-hidden="true" />;
}
