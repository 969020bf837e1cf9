import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { BranchSums, UsageSessions } from '../../pages/usage/protocol.ts';
import { figureColumn, SortableTable, type TableColumn } from '../shared/sortableTable.tsx';
import { GroupChoice } from './groupChoice.tsx';
import { costColumn, savingColumn, tokensColumn } from './sumColumns.tsx';
import { count } from './words.ts';

type BranchGrouping = 'repository' | 'branch';

const GROUPINGS: readonly (readonly [BranchGrouping, () => string])[] = [
  ['repository', () => l10n.t('Repository')],
  ['branch', () => l10n.t('Branch')],
];

/** What the branches of repositories have cost. Empty if the period has no request with a known repository. */
export function Branches({ byRepository, byBranch }: Pick<UsageSessions, 'byRepository' | 'byBranch'>) {
  const [grouping, setGrouping] = useState<BranchGrouping>('branch');
  if (byBranch.length === 0) return null;
  const isByBranch = grouping === 'branch';
  return (
    <section class="section">
      <div class="plot-head">
        <h2>{l10n.t('Repositories and branches')}</h2>
      </div>
      <GroupChoice labelId="branches-by" options={GROUPINGS} chosen={grouping} onChoose={setGrouping} />
      <SortableTable
        key={grouping}
        label={isByBranch ? l10n.t('Branches') : l10n.t('Repositories')}
        columns={columnsOf(isByBranch)}
        rows={isByBranch ? byBranch : byRepository}
        rowKey={({ repository, branch }) => `${repository} ${branch}`}
        sortedBy="cost"
      />
    </section>
  );
}

function columnsOf(isByBranch: boolean): TableColumn<BranchSums>[] {
  const branch: TableColumn<BranchSums> = {
    key: 'branch',
    label: l10n.t('Branch'),
    value: (row) => row.branch,
    show: (row) => <span title={`${row.repository} · ${row.branch}`}>{row.branch || '–'}</span>,
  };
  return [
    ...(isByBranch ? [branch] : []),
    {
      key: 'repository',
      label: l10n.t('Repository'),
      ...(isByBranch && { class: 'from-560' }),
      value: ({ repository }) => repository,
      show: ({ repository }) => <span title={repository}>{repository}</span>,
    },
    figureColumn('exchanges', l10n.t('Requests'), count),
    tokensColumn(),
    savingColumn(),
    costColumn(),
  ];
}
