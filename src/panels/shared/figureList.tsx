import type { ComponentChildren } from 'preact';

export interface FigureProps {
  readonly label: string;
  readonly value: ComponentChildren;
  /** The exact value, if the shown one is rounded. */
  readonly exact?: string | undefined;
  readonly note?: string | undefined;
}

/** The main figures of a page, side by side. */
export function FigureList({ figures }: { readonly figures: readonly FigureProps[] }) {
  return (
    <dl class="figures number">
      {figures.map((figure) => (
        <Figure key={figure.label} {...figure} />
      ))}
    </dl>
  );
}

function Figure({ label, value, exact, note }: FigureProps) {
  return (
    <div class="figure-box">
      <dt>{label}</dt>
      <dd class="figure-value" title={exact}>
        {value}
      </dd>
      <dd class="figure-note">{note}</dd>
    </div>
  );
}
