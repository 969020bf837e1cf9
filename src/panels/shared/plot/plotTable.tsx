import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { SortableTable, type TableProps } from '../sortableTable.tsx';

/** The numbers of a plot in a collapsed table below it, which is rendered when it is opened. */
export function PlotTable<Row>(props: TableProps<Row>) {
  const [isDrawn, setDrawn] = useState(false);
  return (
    <details class="plot-table" onToggle={() => setDrawn(true)}>
      <summary>{l10n.t('Table')}</summary>
      {isDrawn && <SortableTable {...props} />}
    </details>
  );
}
