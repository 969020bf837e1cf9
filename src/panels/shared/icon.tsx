/** A codicon. It says nothing to assistive technology; what it stands for is said by the text or label beside it. */
export function Icon({ name, size = 16 }: { readonly name: string; readonly size?: 12 | 14 | 16 }) {
  return <span class={`codicon codicon-${name} icon-${size}`} aria-hidden="true" />;
}
