interface BarsProps {
  /** The largest row has a bar of the full width. */
  readonly rows: readonly {
    readonly key: string;
    readonly name: string;
    readonly value: number;
    readonly text: string;
    /** Called when the name is chosen. Without it, the name is only text. */
    readonly onOpen?: () => void;
    /** The tooltip of a name that can be chosen. */
    readonly title?: string;
    /** The CSS class of its color, if it differs from the others. */
    readonly color?: string;
  }[];
  /** The CSS class of their color. */
  readonly color: string;
}

/** Named amounts as bars. */
export function Bars({ rows, color }: BarsProps) {
  const largest = Math.max(...rows.map(({ value }) => value));
  return (
    <ul class={`bars ${color}`}>
      {rows.map(({ key, name, value, text, onOpen, title = name, color: own }) => (
        <li key={key} class={own}>
          {onOpen === undefined ? (
            <span class="bars-name" title={name}>
              {name}
            </span>
          ) : (
            <button type="button" class="bars-name name-link" title={title} onClick={onOpen}>
              {name}
            </button>
          )}
          <span class="bars-track">
            <span class="bars-bar" style={{ width: `${largest === 0 ? 0 : (100 * value) / largest}%` }} />
          </span>
          <span class="number">{text}</span>
        </li>
      ))}
    </ul>
  );
}
