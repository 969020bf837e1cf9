import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** Number of rows in a block. */
const BLOCK = 50;

export interface TableColumn<Row> {
  readonly key: string;
  readonly label: string;
  /** The value that the rows are sorted by. Numbers are sorted from the largest at first. */
  readonly value: (row: Row) => number | string;
  /** The displayed value. */
  readonly show: (row: Row) => ComponentChildren;
  /** True for figures, which are aligned to the end of their column. */
  readonly isFigure?: boolean;
  readonly class?: string;
}

/** Returns a column with a figure, which is a member of the rows. */
export function figureColumn<Row>(
  key: keyof Row & string,
  label: string,
  show: (figure: number, row: Row) => ComponentChildren,
  cssClass = '',
): TableColumn<Row> {
  const figure = (row: Row) => Number(row[key]);
  return { key, label, isFigure: true, class: cssClass, value: figure, show: (row) => show(figure(row), row) };
}

export interface TableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string;
  /** The first column names the row. */
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The column that the table is sorted by at first. If undefined, the rows keep their order. */
  readonly sortedBy?: string;
  /** The maximum number of rows that are shown, after sorting. */
  readonly limit?: number;
  readonly class?: string;
}

interface Sorting {
  readonly key: string;
  readonly isDescending: boolean;
}

/** A table that can be sorted by each column: first in the usual order of the column, then in reverse. */
export function SortableTable<Row>({ label, columns, rows, rowKey, sortedBy, ...rest }: TableProps<Row>) {
  const [sorting, setSorting] = useState<Sorting | undefined>(() => firstSorting(columns, sortedBy));
  const press = (column: TableColumn<Row>) => {
    const isSame = sorting?.key === column.key;
    setSorting({ key: column.key, isDescending: isSame ? !sorting.isDescending : column.isFigure === true });
  };
  return (
    <table class={`table ${rest.class ?? ''}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => {
            const direction = sorting?.key === column.key ? directionOf(sorting) : undefined;
            return (
              <th key={column.key} scope="col" class={classOf(column)} aria-sort={direction}>
                <button type="button" title={l10n.t('Sort by {0}', column.label)} onClick={() => press(column)}>
                  {column.label}
                  {direction !== undefined && (
                    <Icon name={direction === 'descending' ? 'arrow-down' : 'arrow-up'} size={12} />
                  )}
                </button>
              </th>
            );
          })}
        </tr>
      </thead>
      {blocksOf(sorted(rows, columns, sorting).slice(0, rest.limit)).map((block, nth) => (
        <tbody key={nth}>
          {block.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.key} scope="row" class={classOf(column)}>
                    {column.show(row)}
                  </th>
                ) : (
                  <td key={column.key} class={classOf(column)}>
                    {column.show(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** A long table is divided, so that its styles can let the browser paint the blocks one by one. */
function blocksOf<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const count = Math.max(1, Math.ceil(rows.length / BLOCK));
  return Array.from({ length: count }, (_, nth) => rows.slice(nth * BLOCK, (nth + 1) * BLOCK));
}

function firstSorting<Row>(columns: readonly TableColumn<Row>[], key: string | undefined): Sorting | undefined {
  const column = columns.find((each) => each.key === key);
  return column && { key: column.key, isDescending: column.isFigure === true };
}

function directionOf({ isDescending }: Sorting): 'ascending' | 'descending' {
  return isDescending ? 'descending' : 'ascending';
}

function classOf<Row>({ isFigure, ...column }: TableColumn<Row>): string {
  return [isFigure ? 'figure number' : '', column.class ?? ''].filter((name) => name !== '').join(' ');
}

/** Rows with equal values keep their order. */
function sorted<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  const column = columns.find(({ key }) => key === sorting?.key);
  if (column === undefined || sorting === undefined) return rows;
  const sign = sorting.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => sign * compared(column.value(a), column.value(b)));
}

function compared(a: number | string, b: number | string): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
}
