import * as l10n from '@vscode/l10n';
import { SortableTable, type TableProps } from '../shared/sortableTable.tsx';

/** The numbers of a plot, folded away beneath it. */
export function PlotTable<Row>(props: TableProps<Row>) {
  return (
    <details class="plot-table">
      <summary>{l10n.t('Table')}</summary>
      <SortableTable {...props} />
    </details>
  );
}
