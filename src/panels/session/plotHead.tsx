interface PlotHeadProps {
  readonly title: string;
  /** The value at the marked slot. */
  readonly readout: string | undefined;
  readonly series: readonly (readonly [label: string, color: string, value: string | undefined])[];
}

export function PlotHead({ title, readout, series }: PlotHeadProps) {
  return (
    <div class="plot-head">
      <h2>{title}</h2>
      <span class="readout number" aria-live="polite">
        {readout}
      </span>
      <ul class="legend">
        {series.map(([label, color, value]) => (
          <li key={label}>
            <span class={`swatch ${color}`} />
            {label}
            {value !== undefined && <span class="legend-figure number">{value}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
