/** A codicon. It is hidden from assistive technology; the text or label beside it has its meaning. */
export function Icon({ name, size = 16 }: { readonly name: string; readonly size?: 12 | 14 | 16 }) {
  return <span class={`codicon codicon-${name} icon-${size}`} aria-hidden="true" />;
}
