interface PlotHeadProps {
  readonly title: string;
  readonly level?: 2 | 3;
  /** The value at the marked slot. */
  readonly readout: string | undefined;
  readonly series: readonly (readonly [
    label: string,
    color: string,
    value?: string | undefined,
    tooltip?: string | undefined,
  ])[];
}

/** The title of a plot, with the values of its series at the marked slot. */
export function PlotHead({ title, level = 2, readout, series }: PlotHeadProps) {
  const Heading = `h${level}` as const;
  return (
    <div class="plot-head">
      <Heading>{title}</Heading>
      <span class="readout number" aria-live="polite">
        {readout}
      </span>
      <ul class="legend">
        {series.map(([label, color, value, tooltip]) => (
          <li key={label} title={tooltip}>
            <span class={`swatch ${color}`} />
            {label}
            {value !== undefined && <span class="legend-figure number">{value}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
