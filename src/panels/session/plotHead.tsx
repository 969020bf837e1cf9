interface PlotHeadProps {
  readonly title: string;
  /** The value at the marked slot. */
  readonly readout: string | undefined;
  readonly series: readonly (readonly [label: string, colour: string, value: string | undefined])[];
}

export function PlotHead({ title, readout, series }: PlotHeadProps) {
  return (
    <div class="plot-head">
      <h2>{title}</h2>
      <span class="readout number" aria-live="polite">
        {readout}
      </span>
      <ul class="legend">
        {series.map(([label, colour, value]) => (
          <li key={label}>
            <span class={`swatch ${colour}`} />
            {label}
            {value !== undefined && <span class="legend-figure number">{value}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
