interface ButtonProps {
  readonly label: string;
  readonly onClick: () => void;
}

export function Button({ label, primary = false, onClick }: ButtonProps & { readonly primary?: boolean }) {
  return (
    <button type="button" class={primary ? 'button primary' : 'button'} onClick={onClick}>
      {label}
    </button>
  );
}

/** A button that looks like a link. */
export function LinkButton({ label, onClick }: ButtonProps) {
  return (
    <button type="button" class="link" onClick={onClick}>
      {label}
    </button>
  );
}
