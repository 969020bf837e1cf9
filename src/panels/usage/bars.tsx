interface BarsProps {
  /** The largest row has a bar of the full width. */
  readonly rows: readonly {
    readonly key: string;
    readonly name: string;
    readonly value: number;
    readonly text: string;
  }[];
  /** The CSS class of their color. */
  readonly colour: string;
}

/** Named amounts as bars. */
export function Bars({ rows, colour }: BarsProps) {
  const most = Math.max(...rows.map(({ value }) => value));
  return (
    <ul class={`bars ${colour}`}>
      {rows.map(({ key, name, value, text }) => (
        <li key={key}>
          <span class="bars-name" title={name}>
            {name}
          </span>
          <span class="bars-track">
            <span class="bars-bar" style={{ width: `${most === 0 ? 0 : (100 * value) / most}%` }} />
          </span>
          <span class="number">{text}</span>
        </li>
      ))}
    </ul>
  );
}
