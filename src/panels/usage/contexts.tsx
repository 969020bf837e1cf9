import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { formatSum } from '../../display/money.ts';
import { formatTokens, formatTokensExact } from '../../display/tokens.ts';
import type { ContextLine } from '../../pages/usage/protocol.ts';
import { contextColor, contextKindWord } from '../shared/contextGroups.ts';
import { figureColumn, SortableTable, type TableColumn } from '../shared/sortableTable.tsx';
import { GroupChoice } from './groupChoice.tsx';

type ContextGrouping = 'server' | 'tool' | 'client';

const GROUPINGS: readonly (readonly [ContextGrouping, () => string])[] = [
  ['server', () => l10n.t('Server')],
  ['tool', () => l10n.t('Tool')],
  ['client', () => l10n.t('Client')],
];
const MAX_ROWS = 15;

/** A group of lines, which has the same columns. */
interface ContextSum extends Pick<ContextLine, 'kind' | 'tokens' | 'requests' | 'cost' | 'calls'> {
  readonly name: string;
}

/** What filled the contexts of the period, by server, tool, or client. */
export function Contexts({ lines }: { readonly lines: readonly ContextLine[] }) {
  const [grouping, setGrouping] = useState<ContextGrouping>('server');
  if (lines.length === 0) return null;
  return (
    <section class="section">
      <div class="plot-head">
        <h2>{l10n.t('What fills contexts')}</h2>
      </div>
      <GroupChoice labelId="contexts-by" options={GROUPINGS} chosen={grouping} onChoose={setGrouping} />
      <SortableTable
        key={grouping}
        label={l10n.t('Parts of contexts')}
        columns={COLUMNS()}
        rows={grouped(lines, grouping)}
        rowKey={({ kind, name }) => `${kind} ${name}`}
        sortedBy="cost"
        limit={MAX_ROWS}
      />
    </section>
  );
}

/** Adds up lines by kind and server, tool, or client. Requests of a group are those of its most frequent line. */
function grouped(lines: readonly ContextLine[], grouping: ContextGrouping): readonly ContextSum[] {
  const nameOf = ({ client, server, name }: ContextLine) =>
    grouping === 'client'
      ? client
      : grouping === 'server'
        ? server
        : [server, name].filter((text) => text !== '').join(' ');
  const groups = Map.groupBy(lines, (line) => `${line.kind}\n${nameOf(line)}`);
  return [...groups.values()].map((all) => {
    const [first] = all as [ContextLine];
    const sum = (figure: 'tokens' | 'cost' | 'calls') => all.reduce((total, line) => total + line[figure], 0);
    const requests = Math.max(...all.map((line) => line.requests));
    return {
      kind: first.kind,
      name: nameOf(first),
      tokens: sum('tokens'),
      cost: sum('cost'),
      calls: sum('calls'),
      requests,
    };
  });
}

const COLUMNS = (): TableColumn<ContextSum>[] => [
  {
    key: 'part',
    label: l10n.t('Part'),
    value: ({ kind, name }) => `${name} ${contextKindWord(kind)}`,
    show: ({ kind, name }) => (
      <span title={name}>
        <span class={`swatch ${contextColor(kind)}`} /> {name}{' '}
        <span class={name === '' ? undefined : 'quiet'}>{contextKindWord(kind)}</span>
      </span>
    ),
  },
  figureColumn('requests', l10n.t('Requests'), formatTokensExact, 'from-560'),
  figureColumn('calls', l10n.t('Calls'), (calls, { kind }) => (kind === 'tools' ? formatTokensExact(calls) : '–')),
  figureColumn('tokens', l10n.t('Tokens'), formatTokens, 'from-560'),
  figureColumn('cost', l10n.t('Cost'), formatSum, 'strong'),
];
