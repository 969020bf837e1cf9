import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../display/money.ts';
import { formatTokensExact } from '../../display/tokens.ts';
import type { SessionMisses, SessionState } from '../../pages/session/protocol.ts';
import { LinkButton } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { missAdvice, missWord } from '../shared/missWords.ts';
import { figureColumn, SortableTable, type TableColumn } from '../shared/sortableTable.tsx';
import { useStore } from './store.ts';

/** Number of turns with a miss that are listed. */
const MAX_TURNS = 5;
/** Number of tools or settings that are listed. */
const MAX_NAMES = 3;

export function MissTable({ state }: { readonly state: SessionState }) {
  const columns: TableColumn<SessionMisses>[] = [
    {
      key: 'cause',
      label: l10n.t('Cause'),
      value: ({ reason }) => missWord(reason),
      show: ({ reason }) => (
        <span class="avoidable">
          <Icon name="warning" size={14} />
          {missWord(reason)}
        </span>
      ),
    },
    {
      key: 'where',
      label: l10n.t('Where'),
      value: ({ turns }) => turns[0] ?? 0,
      show: ({ turns, changed }) => (
        <>
          <Turns numbers={turns} state={state} />
          {changed.slice(0, MAX_NAMES).map((name) => (
            <span key={name}>
              {' '}
              <code>{name}</code>
            </span>
          ))}
        </>
      ),
    },
    {
      key: 'advice',
      label: l10n.t('How to avoid it'),
      class: 'from-560 advice',
      value: ({ reason }) => missAdvice(reason) ?? '',
      show: ({ reason }) => missAdvice(reason) ?? '–',
    },
    figureColumn('count', l10n.t('Misses'), String),
    figureColumn('tokens', l10n.t('Missed'), formatTokensExact, 'from-560'),
    figureColumn('cost', l10n.t('Avoidable'), formatMoney, 'strong'),
  ];
  return (
    <section class="section">
      <div class="plot-head">
        <h2>{l10n.t('Avoidable misses')}</h2>
        <span class="readout">{l10n.t('Cold starts and compaction are not counted.')}</span>
      </div>
      <SortableTable
        label={l10n.t('Avoidable misses')}
        columns={columns}
        rows={state.misses}
        rowKey={({ reason }) => reason}
        sortedBy="cost"
      />
    </section>
  );
}

function Turns({ numbers, state }: { readonly numbers: readonly number[]; readonly state: SessionState }) {
  const store = useStore();
  return (
    <span class="turn-links">
      {numbers.slice(0, MAX_TURNS).map((number) => (
        <LinkButton
          key={number}
          label={l10n.t('Turn {0}', number)}
          onClick={() => store.showTurns(state.turns.filter((turn) => turn.number === number))}
        />
      ))}
      {numbers.length > MAX_TURNS && l10n.t('{0} more', numbers.length - MAX_TURNS)}
    </span>
  );
}
