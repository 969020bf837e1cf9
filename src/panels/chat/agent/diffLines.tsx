import type { DiffLine } from '../../../pages/chat/protocol.ts';

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '−' };

/** A line of a difference, and what is shown before it, by columns. */
export interface DiffRow {
  readonly line: DiffLine;
  readonly heads: readonly string[];
}

interface DiffLinesProps {
  readonly rows: readonly DiffRow[];
  /** Whether the columns before the lines are only numbers, which are not read aloud. */
  readonly areNumbers?: boolean;
}

/** Lines of a difference, which scroll if they are long. */
export function DiffLines({ rows, areNumbers = false }: DiffLinesProps) {
  const widths = rows[0]?.heads.map((_, column) => Math.max(...rows.map(({ heads }) => heads[column]?.length ?? 0)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls can be scrolled by keys
    <pre class="diff-lines" tabIndex={0}>
      {rows.map(({ line: { kind, text }, heads }, index) => (
        <span key={index} class={`diff-line ${kind}`}>
          <span class={areNumbers ? 'diff-heads diff-numbers' : 'diff-heads'} aria-hidden={areNumbers}>
            {heads.map((head, column) => (
              <span key={column} style={{ width: `${widths?.[column]}ch` }}>
                {head}
              </span>
            ))}
          </span>
          <span>{`${SIGNS[kind]} ${text}\n`}</span>
        </span>
      ))}
    </pre>
  );
}

/** Rows with the numbers of the lines before and after the change. */
export function numberedRows(lines: readonly DiffLine[]): readonly DiffRow[] {
  return lines.map((line) => ({ line, heads: [line.old, line.new].map((number) => String(number ?? '')) }));
}
